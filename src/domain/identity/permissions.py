"""Who may do what: one table from actions to the least role."""

from __future__ import annotations

from enum import Enum

from domain.identity.access import Access
from domain.identity.principal import Role


class Action(Enum):
    """What a permission is asked for: the words of a refusal, and the least role."""

    READ = ("reading", Role.VIEWER)
    GIVE_FEEDBACK = ("giving feedback", Role.VIEWER)
    SUBMIT = ("submitting documents", Role.MEMBER)
    ASSERT = ("asserting facts", Role.MEMBER)
    SNAPSHOT = ("making snapshots and storing packs", Role.MEMBER)
    REMEMBER = ("remembering", Role.MEMBER)
    DECIDE = ("deciding proposals", Role.CURATOR)
    CORRECT = ("correcting facts", Role.CURATOR)
    RETRACT = ("retracting", Role.CURATOR)
    UNDO = ("undoing", Role.CURATOR)
    REGRADE = ("changing a source's tier", Role.CURATOR)
    CONFIGURE = ("configuring a collection", Role.CURATOR)
    REPROCESS = ("reprocessing", Role.CURATOR)
    ERASE = ("erasing", Role.ADMIN)
    HOLD = ("placing and lifting legal holds", Role.ADMIN)
    MANAGE_SCOPES = ("making workspaces and projects", Role.ADMIN)
    MANAGE_PEOPLE = ("managing principals and memberships", Role.ADMIN)
    MANAGE_KEYS = ("managing API keys", Role.ADMIN)
    OPERATE = ("operating queues and graphs", Role.ADMIN)

    def __init__(self, words: str, role: Role) -> None:
        self.words = words
        self.role = role


def permit(access: Access, action: Action) -> None:
    """Raise Forbidden unless the caller's role in the scope allows the action."""
    access.require(action.role, action.words)
