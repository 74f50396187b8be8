"""People: schools, their classes, and the members of these with their roles."""

from osmosmjerka.accounts.models.classes import (
    JOIN_CODE_LETTERS,
    Classroom,
    ClassroomManager,
    JoinRequest,
    Membership,
    MembershipManager,
    new_join_code,
)
from osmosmjerka.accounts.models.log import AuditEntry, Webhook, WebhookDelivery
from osmosmjerka.accounts.models.logins import (
    ApiToken,
    BrowserSession,
    FailedLogin,
    Identity,
    IdentityProvider,
    Invitation,
    LoginCard,
    Passkey,
)
from osmosmjerka.accounts.models.people import School, User
from osmosmjerka.accounts.models.rosters import ExternalId, RosterImport, RosterLine

__all__ = [
    "JOIN_CODE_LETTERS",
    "ApiToken",
    "AuditEntry",
    "BrowserSession",
    "Classroom",
    "ClassroomManager",
    "ExternalId",
    "FailedLogin",
    "Identity",
    "IdentityProvider",
    "Invitation",
    "JoinRequest",
    "LoginCard",
    "Membership",
    "MembershipManager",
    "Passkey",
    "RosterImport",
    "RosterLine",
    "School",
    "User",
    "Webhook",
    "WebhookDelivery",
    "new_join_code",
]
