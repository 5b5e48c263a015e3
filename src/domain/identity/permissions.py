"""Who may do what: one table from actions to the least role and the grant that a token needs."""

from __future__ import annotations

from enum import Enum

from domain.errors import InsufficientScope
from domain.identity.access import Access
from domain.identity.grants import Grant, covered
from domain.identity.principal import Principal, Role


class Action(Enum):
    """What a permission is asked for: the words of a refusal, the least role, and the grant that covers it."""

    READ = ("reading", Role.VIEWER, Grant.READ)
    GIVE_FEEDBACK = ("giving feedback", Role.VIEWER, Grant.FEEDBACK)
    SUBMIT = ("submitting documents", Role.MEMBER, Grant.PROPOSE)
    ASSERT = ("asserting facts", Role.MEMBER, Grant.PROPOSE)
    SNAPSHOT = ("making snapshots and storing packs", Role.MEMBER, Grant.SNAPSHOT)
    PROPOSE_PROMOTION = ("proposing promotions", Role.MEMBER, Grant.PROPOSE)
    REMEMBER = ("remembering", Role.MEMBER, Grant.PROPOSE)
    DECIDE = ("deciding proposals", Role.CURATOR, Grant.ADMIN)
    CORRECT = ("correcting facts", Role.CURATOR, Grant.ADMIN)
    RETRACT = ("retracting", Role.CURATOR, Grant.ADMIN)
    UNDO = ("undoing", Role.CURATOR, Grant.ADMIN)
    REGRADE = ("changing a source's tier", Role.CURATOR, Grant.ADMIN)
    CONFIGURE = ("configuring a collection", Role.CURATOR, Grant.ADMIN)
    OPEN_ORIGINAL = ("opening the original of a document with masks", Role.CURATOR, Grant.ADMIN)
    SCREEN = ("deciding what becomes of secrets and personal data", Role.ADMIN, Grant.ADMIN)
    REPROCESS = ("reprocessing", Role.CURATOR, Grant.ADMIN)
    ERASE = ("erasing", Role.ADMIN, Grant.ADMIN)
    HOLD = ("placing and lifting legal holds", Role.ADMIN, Grant.ADMIN)
    MANAGE_SCOPES = ("making workspaces and projects", Role.ADMIN, Grant.ADMIN)
    MANAGE_PEOPLE = ("managing principals and memberships", Role.ADMIN, Grant.ADMIN)
    MANAGE_OWN_KEYS = ("managing one's own keys", Role.VIEWER, Grant.ADMIN)
    LEAVE = ("leaving a scope", Role.VIEWER, Grant.ADMIN)
    MANAGE_KEYS = ("managing API keys", Role.ADMIN, Grant.ADMIN)
    OPERATE = ("operating queues and graphs", Role.ADMIN, Grant.ADMIN)
    AUDIT = ("reading the audit", Role.ADMIN, Grant.ADMIN)
    KEEP_AUDIT = ("setting how long the audit is kept", Role.OWNER, Grant.ADMIN)

    def __init__(self, words: str, role: Role, grant: Grant) -> None:
        self.words = words
        self.role = role
        self.grant = grant


def permit(access: Access, action: Action) -> None:
    """Raise Forbidden unless the role in the scope allows the action, InsufficientScope unless the grants cover it."""
    access.require(action.role, action.words)
    require_grant(access.principal, action)


def require_grant(principal: Principal, action: Action) -> None:
    """Raise InsufficientScope unless the grants cover the action."""
    if not covered(principal.grants, action.grant):
        raise InsufficientScope(
            f"{action.words} needs the scope {action.grant.value}; this credential has not got it. "
            "Ask for one with that scope",
            scope=action.grant.value,
        )


def allows(principal: Principal, action: Action) -> bool:
    """Whether there may be a scope where the principal may do it: its role is the most that it has anywhere."""
    return principal.role.at_least(action.role) and covered(principal.grants, action.grant)
