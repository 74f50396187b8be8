"""The students of a platform's course as a roster: previewed, added, and undone like any other.

The sections are those of Names and Role Provisioning Services 2.0 (NRPS).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from osmosmjerka.accounts.classrooms import roster_imports
from osmosmjerka.accounts.classrooms.roster import Line, Roster
from osmosmjerka.accounts.classrooms.told_names import display_name
from osmosmjerka.accounts.models import Classroom, ExternalId, RosterImport, User
from puzzles.lti import client, messages
from puzzles.lti.platforms import access_token
from puzzles.lti.services import id_of
from puzzles.models import LtiCourse

_TYPE = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
_MOST_PAGES = 20
_MOST_STUDENTS = 1000
_LONGEST = 200


def begin(*, course: LtiCourse, classroom: Classroom, actor: User) -> RosterImport:
    """Ask the platform who learns in a course; save it as a preview, and add nobody yet.

    Raises PlatformError.
    """
    platform = course.deployment.platform
    token = access_token(platform, [messages.MEMBERS])
    lines = []
    for number, told in enumerate(_students(course.memberships_url, token), 1):
        whole, given, family = messages.names_of(told)
        name = (whole or f"{given} {family}").strip()[:_LONGEST]
        ids = {str(ExternalId.Source.LTI): id_of(platform, told["user_id"])}
        problem = "" if any(letter.isalnum() for letter in name) else _("The name is missing.")
        shown = "" if problem else display_name(whole, given, family)
        lines.append(Line(number, name, shown, ids, problem=problem))
        if number == _MOST_STUDENTS:
            break
    roster = Roster(lines, [], lists_everybody=len(lines) < _MOST_STUDENTS)
    return roster_imports.begin(classroom=classroom, roster=roster, actor=actor)


def _students(address: str, token: str) -> Iterator[dict[str, Any]]:
    """Yield the active learners of a course (2.2); its list may have pages (2.4.2)."""
    host, following = urlsplit(address).netloc, address
    for _page in range(_MOST_PAGES):
        answer = client.get_answer(following, accept=_TYPE, token=token)
        told = client.json_of(answer)
        found = told.get("members") if isinstance(told, dict) else None
        for one in found if isinstance(found, list) else ():
            if isinstance(one, dict) and _learns(one):
                yield one
        link = re.search(r'<([^<>]*)>\s*;\s*rel="?next\b', answer.headers.get("Link", ""))
        following = link[1] if link else ""
        if urlsplit(following).netloc != host:  # the token is for this server only
            return


def _learns(member: dict[str, Any]) -> bool:
    roles = member.get("roles")
    return (
        isinstance(member.get("user_id"), str)
        and bool(member["user_id"])
        and member.get("status", "Active") == "Active"
        and isinstance(roles, list)
        and not messages.LEARNERS.isdisjoint(map(str, roles))
    )
