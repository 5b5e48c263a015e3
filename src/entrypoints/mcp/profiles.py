"""Tool profiles: how much of what a caller may do is shown to it."""

from __future__ import annotations

from enum import StrEnum

from domain.errors import InvalidInput, shown
from domain.identity.grants import Grant
from domain.identity.permissions import Action


class Profile(StrEnum):
    """A reader changes nothing, a contributor offers something to others, a curator decides for them.

    Each profile includes those before it.
    """

    READER = "reader"
    CONTRIBUTOR = "contributor"
    CURATOR = "curator"

    @classmethod
    def named(cls, text: str) -> Profile:
        """Raises InvalidInput for what is no profile."""
        try:
            return cls(text)
        except ValueError:
            names = ", ".join(cls)
            raise InvalidInput(f"{shown(text)} is no profile; there are: {names}", field="profile") from None

    def offers(self, action: Action) -> bool:
        """Whether what needs the action belongs to the profile."""
        return _PLACE[self] >= _PLACE[_FIRST[action.grant]]

    def at_most(self, widest: Profile) -> Profile:
        """The narrower of the two."""
        return min(self, widest, key=lambda profile: _PLACE[profile])


_PLACE = {profile: place for place, profile in enumerate(Profile)}
_FIRST = {
    Grant.READ: Profile.READER,
    Grant.PROPOSE: Profile.CONTRIBUTOR,
    Grant.FEEDBACK: Profile.CONTRIBUTOR,
    Grant.SNAPSHOT: Profile.CONTRIBUTOR,
    Grant.ADMIN: Profile.CURATOR,
}
"""The first profile that offers what needs a grant."""
