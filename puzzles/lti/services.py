"""Launches from a learning platform: who comes, to which class and assignment.

A launch is a POST from another site, with which browsers send no SameSite=Lax cookie. So it has no
session: `begin` gives the browser a cookie of its own that binds it to the signed state, `launch`
decides who is meant, and the page to which that leads, a GET with the ordinary cookies, begins the
ordinary session.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta
from urllib.parse import urlencode

from django.core import signing
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from osmosmjerka.accounts import access, audit, people
from osmosmjerka.accounts.classrooms.told_names import display_name
from osmosmjerka.accounts.codes import keyed_hash
from osmosmjerka.accounts.models import Classroom, ExternalId, Membership, User
from osmosmjerka.web.addresses import may_be_asked
from puzzles.lti import client, keys, messages
from puzzles.lti.messages import Message
from puzzles.models import (
    Assignment,
    LtiCourse,
    LtiDeployment,
    LtiLink,
    LtiNonce,
    LtiPerson,
    LtiPlatform,
)

logger = logging.getLogger(__name__)

STATE = timedelta(minutes=10)
_STATE_SALT = "puzzles.lti.state"


class LaunchRefused(Exception):
    """Somebody cannot come in; its text tells them why."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """Who has come from a platform, and what for; kept in the browser until they are let in.

    *person* is None for a teacher who is not linked yet, whom *subject* names, and for a test user.
    """

    platform: int
    person: int | None = None
    subject: str = ""
    is_test_user: bool = False
    course: int | None = None
    link: int | None = None
    return_url: str = ""
    data: str = ""

    def as_dict(self) -> dict[str, int | str | bool | None]:
        return asdict(self)


def platform_of(issuer: str, client_id: str) -> LtiPlatform:
    """Return the platform that asks to log in. Raises LaunchRefused.

    LTI Core 1.3, 4.1.3: the client ID is optional, so one issuer may be enough.
    """
    known = LtiPlatform.objects.filter(issuer=issuer, is_on=True)
    if client_id:
        known = known.filter(client_id=client_id)
    found = list(known[:2])
    if len(found) != 1:
        raise LaunchRefused(
            _(
                "This learning platform is not connected with this site, or the connection is "
                "switched off. A school admin can connect it."
            )
        )
    return found[0]


def begin(sent: Mapping[str, str], *, browser: str, host: str, launch_url: str) -> str:
    """Return the address of the platform at which a login goes on (Security Framework 1.0, 5.1.1).

    *sent* is the third-party login request, *browser* what the browser keeps in its cookie, *host*
    this site. Raises LaunchRefused.
    """
    platform = platform_of(sent.get("iss", ""), sent.get("client_id", ""))
    hint = sent.get("login_hint", "")
    if not hint or len(hint) > 2000 or len(sent.get("lti_message_hint", "")) > 8000:
        raise LaunchRefused(_("The learning platform did not say who comes."))
    if not messages.is_of_site(sent.get("target_link_uri", ""), host):  # 5.1.1.1
        raise LaunchRefused(_("This link does not lead to this site."))
    nonce = secrets.token_urlsafe(24)
    state = signing.dumps(
        {"platform": platform.pk, "nonce": nonce, "browser": _bound(browser)}, salt=_STATE_SALT
    )
    asked = {
        "scope": "openid",
        "response_type": "id_token",
        "response_mode": "form_post",
        "prompt": "none",
        "client_id": platform.client_id,
        "redirect_uri": launch_url,
        "login_hint": hint,
        "state": state,
        "nonce": nonce,
    }
    if "lti_message_hint" in sent:  # 4.1.1 of LTI Core: sent back as it came
        asked["lti_message_hint"] = sent["lti_message_hint"]
    joint = "&" if "?" in platform.auth_url else "?"
    return f"{platform.auth_url}{joint}{urlencode(asked)}"


def launch(*, state: str, token: str, browser: str, host: str) -> Arrival:
    """Check a launch and return who has come. Raises LaunchRefused, and logs why.

    A student's account is created the first time, if their teacher has connected the course with a
    class.
    """
    try:
        told = signing.loads(state, salt=_STATE_SALT, max_age=STATE)
        if not constant_time_compare(told["browser"], _bound(browser)):
            raise messages.MessageRefused("the state is another browser's")
        platform = LtiPlatform.objects.select_related("school").get(pk=told["platform"], is_on=True)
        message = messages.read(
            keys.claims_of(platform, token),
            issuer=platform.issuer,
            client_id=platform.client_id,
            nonce=told["nonce"],
            now=time.time(),
            host=host,
        )
        deployment = _deployment(platform, message.deployment_id)
        _use(told["nonce"])
    except LtiPlatform.DoesNotExist:
        raise LaunchRefused(_("The connection with this learning platform ended.")) from None
    except client.PlatformError as error:
        logger.warning("The keys of a learning platform cannot be read: %s", error)
        raise LaunchRefused(
            _("The learning platform does not answer at the moment. Try again in a minute.")
        ) from error
    except (signing.BadSignature, messages.MessageRefused, keys.TokenRefused) as error:
        logger.warning("A launch from a learning platform was refused: %s", error)
        raise LaunchRefused(
            _(
                "This link was used already, is too old, or was opened in another browser. Go back "
                "to your course and open it again."
            )
        ) from error
    return _arrival(platform, deployment, message)


@transaction.atomic
def _arrival(platform: LtiPlatform, deployment: LtiDeployment, message: Message) -> Arrival:
    course = _course(deployment, message) if message.context_id else None
    link = _link(course, message) if course and message.resource_link_id else None
    course_pk, link_pk = course.pk if course else None, link.pk if link else None
    if message.is_test_user:
        return Arrival(platform.pk, is_test_user=True, course=course_pk, link=link_pk)
    person = _known(platform, message.subject)
    if person is None and not message.is_teacher:
        if not message.is_learner:
            raise LaunchRefused(_("Only teachers and students of a course can open this link."))
        # Of two first launches of one student at once, the second finds the account of the first.
        LtiPlatform.objects.select_for_update().get(pk=platform.pk)
        person = _known(platform, message.subject) or _new_student(platform, course, message)
    if person is not None and person.is_student:
        if message.deep_link is not None:
            raise LaunchRefused(_("Only teachers can choose what a course gets."))
        if course is not None and course.classroom is not None:
            _let_into(course.classroom, person)
    return Arrival(
        platform.pk,
        person=person.pk if person else None,
        subject=message.subject,
        return_url=message.deep_link.return_url if message.deep_link else "",
        data=message.deep_link.data if message.deep_link else "",
        course=course_pk,
        link=link_pk,
    )


def _known(platform: LtiPlatform, subject: str) -> User | None:
    """Return who somebody of the platform is here. Raises LaunchRefused if they may not come in."""
    known = LtiPerson.objects.filter(platform=platform, subject=subject)
    linked = known.select_related("user").first()
    person = linked.user if linked else _of_roster(platform, subject)
    if person is None:
        return None
    if not person.is_active:
        raise LaunchRefused(
            _("Your account here is deactivated. Ask your teacher or your school admin.")
        )
    if person.school_id != platform.school_id or (
        person.is_teacher and not may_be_linked(person, platform)
    ):
        raise LaunchRefused(
            _("Your account here no longer belongs to this school. Log in with your password.")
        )
    return person


def _of_roster(platform: LtiPlatform, subject: str) -> User | None:
    """Return the student who was added from a roster of the platform, and remember it."""
    ids = ExternalId.objects.filter(
        school=platform.school_id,
        source=ExternalId.Source.LTI,
        value=id_of(platform, subject),
        user__role=User.Role.STUDENT,
    )
    found = ids.select_related("user").first()
    if found is None:
        return None
    LtiPerson.objects.get_or_create(
        platform=platform, subject=subject, defaults={"user": found.user}
    )
    return found.user


def id_of(platform: LtiPlatform, subject: str) -> str:
    """Return how `ExternalId` names somebody of a platform."""
    return f"{platform.pk}:{subject}"[:255]


def _deployment(platform: LtiPlatform, deployment_id: str) -> LtiDeployment:
    """Return a deployment of the platform (LTI Core 1.3, 5.3.3).

    With dynamic registration, some platforms say only in the first launch which one it is.
    """
    known = platform.deployments.filter(deployment_id=deployment_id).first()
    if known is not None:
        return known
    if platform.deployments.exists():
        raise messages.MessageRefused("5.3.3: the deployment is not known")
    return platform.deployments.create(deployment_id=deployment_id)


def _use(nonce: str) -> None:
    """Use a nonce up (Security Framework 1.0, 5.1.3 (9)). Raises MessageRefused the second time."""
    try:
        with transaction.atomic():  # of two launches at once, the unique value lets one in
            LtiNonce.objects.create(value=nonce, until=timezone.now() + STATE)
    except IntegrityError:
        raise messages.MessageRefused("the nonce was used") from None


def forget_nonces() -> int:
    """Delete nonces whose states have expired; return how many."""
    return LtiNonce.objects.filter(until__lt=timezone.now()).delete()[0]


def _course(deployment: LtiDeployment, message: Message) -> LtiCourse:
    course, _is_new = LtiCourse.objects.select_related("classroom").get_or_create(
        deployment=deployment, context_id=message.context_id
    )
    now = {"title": message.course_title, "memberships_url": message.memberships_url}
    changed = [name for name, value in now.items() if value and getattr(course, name) != value]
    for name in changed:
        setattr(course, name, now[name])
    if changed:
        course.save(update_fields=changed)
    return course


def _link(course: LtiCourse, message: Message) -> LtiLink:
    link, _is_new = LtiLink.objects.get_or_create(
        course=course, resource_link_id=message.resource_link_id
    )
    if link.assignment_id is None and message.assignment.isdecimal() and course.classroom:
        # Who can write what a link holds is a teacher there, not here: only of this class.
        named = Assignment.objects.filter(classroom=course.classroom)
        link.assignment = named.filter(pk=int(message.assignment[:18])).first()
    if message.line_item and may_be_asked(message.line_item):
        link.line_item = message.line_item
    link.reads_results = message.reads_results
    link.save()
    return link


def _new_student(platform: LtiPlatform, course: LtiCourse | None, message: Message) -> User:
    classroom = course.classroom if course else None
    if classroom is None or classroom.archived_at is not None or classroom.deleted_at is not None:
        raise LaunchRefused(
            _(
                "Your teacher has not connected this course with a class yet. Ask them to open "
                "this link first."
            )
        )
    language = classroom.language_of_cards
    student = people.create_person(
        username=people.free_username(language),
        display_name=display_name(*message.names),
        role=User.Role.STUDENT,
        school=platform.school,
    )
    LtiPerson.objects.create(platform=platform, subject=message.subject, user=student)
    # A roster of the course finds them by it.
    ids = {"source": ExternalId.Source.LTI, "value": id_of(platform, message.subject)}
    ExternalId.objects.get_or_create(school=platform.school, defaults={"user": student}, **ids)
    audit.record(None, "created pupil", student, classroom=classroom)
    return student


def _let_into(classroom: Classroom, student: User) -> None:
    is_there = classroom.archived_at is None and classroom.deleted_at is None
    if is_there and student.school_id == classroom.school_id:
        people.join_classroom(classroom=classroom, person=student, role=Membership.Role.STUDENT)


def may_be_linked(person: User, platform: LtiPlatform) -> bool:
    """Return whether *person* may connect their account with one of the platform.

    The operator of the platform can then log in as them. So nobody from another school, and no site
    admin.
    """
    is_of_site = person.is_superuser or person.is_staff
    return person.is_teacher and not is_of_site and person.school_id == platform.school_id


@transaction.atomic
def link_teacher(*, arrival: Arrival, person: User) -> None:
    """Connect a teacher's account with the one on the platform from which they came.

    Raises ValidationError if they may not, or if that one is another's already.
    """
    platform = LtiPlatform.objects.select_for_update().filter(pk=arrival.platform).first()
    if platform is None or not platform.is_on:
        raise ValidationError(_("The connection with this learning platform ended."))
    if not may_be_linked(person, platform):
        raise ValidationError(
            _(
                "Only teachers of the school that connected the learning platform can link their "
                "accounts. Site admins log in with their password."
            )
        )
    linked, is_new = LtiPerson.objects.get_or_create(
        platform=platform, subject=arrival.subject, defaults={"user": person}
    )
    if linked.user_id != person.pk:
        raise ValidationError(
            _("Your account on the learning platform is linked with another account already.")
        )
    if is_new:
        audit.record(person, "linked platform", person, platform=platform.pk)


@transaction.atomic
def choose_class(*, course: LtiCourse, person: User, classroom: Classroom | None) -> Classroom:
    """Connect a course with a class, or with a new one if there is none; return the class.

    Raises ValidationError if the class is not one of the platform's school in which *person* may
    manage people.
    """
    school = course.deployment.platform.school
    if classroom is None:
        classroom = people.create_classroom(
            name=str(course)[:100], owner=person, school=school, actor=person
        )
    elif classroom not in classes_for(course, person):
        raise ValidationError(_("Choose one of your classes."))
    course.classroom = classroom
    course.save(update_fields=["classroom"])
    audit.record(person, "connected course", classroom)
    return classroom


def classes_for(course: LtiCourse, person: User) -> list[Classroom]:
    """Return the classes that *person* may connect with a course, in alphabetical order."""
    mine = access.classrooms(person, "manage people").filter(
        archived_at=None, school=course.deployment.platform.school
    )
    return list(mine)


def _bound(browser: str) -> str:
    return keyed_hash("lti", browser)[:32]
