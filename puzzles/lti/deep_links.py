"""What a teacher chose in a platform's course, as the message that takes it there."""

from __future__ import annotations

import secrets
from typing import Any

from puzzles.lti import keys, messages
from puzzles.models import Assignment, LtiCourse

_CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
_AGS_MAXIMUM = 100


def response(*, course: LtiCourse, assignment: Assignment, data: str, launch_url: str) -> str:
    """Return a signed message with one link to an assignment (Deep Linking 2.0, 4.5).

    *data* is what the platform asked to get back.
    """
    platform = course.deployment.platform
    claims: dict[str, Any] = {
        "iss": platform.client_id,
        "aud": [platform.issuer],
        "nonce": secrets.token_urlsafe(16),
        f"{_CLAIM}message_type": "LtiDeepLinkingResponse",
        f"{_CLAIM}version": messages.VERSION,
        f"{_CLAIM}deployment_id": course.deployment.deployment_id,
        f"{messages.DEEP_LINKING}content_items": [item(assignment, launch_url)],
    }
    if data:  # 4.4.1: sent back as it came
        claims[f"{messages.DEEP_LINKING}data"] = data
    return keys.sign(claims)


def item(assignment: Assignment, launch_url: str) -> dict[str, Any]:
    """Return the link to an assignment (Deep Linking 2.0, 3.2), which opens in a new window."""
    title = assignment.puzzle.title
    return {
        "type": "ltiResourceLink",
        "title": title,
        "url": launch_url,
        "window": {"targetName": "_blank"},  # pages of this site show in no frame
        "custom": {"assignment": str(assignment.pk)},
        "lineItem": {
            "scoreMaximum": _AGS_MAXIMUM,
            "label": title,
            "resourceId": str(assignment.pk),
        },
    }
