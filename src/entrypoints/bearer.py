"""The key in an Authorization header."""

from __future__ import annotations

from domain.errors import NotAuthenticated, shown

_LONGEST_SCHEME = 20
_REMEDY = "send 'Authorization: Bearer <key>'"


def bearer_token(header: str) -> str:
    """The key. Raises NotAuthenticated that says what is wrong with the header, and never shows what may be a key."""
    scheme, _, token = header.strip().partition(" ")
    if not scheme:
        raise NotAuthenticated(f"no API key was sent; {_REMEDY}", field="Authorization")
    if scheme.lower() == "bearer":
        if not token.strip():
            raise NotAuthenticated(f"there is no key after 'Bearer'; {_REMEDY}", field="Authorization")
        return token.strip()
    if not token.strip():
        raise NotAuthenticated(f"the Authorization header has one word only; {_REMEDY}", field="Authorization")
    # Only what is a word is shown: a key may stand where the scheme belongs.
    named = shown(scheme) if scheme.isalpha() and len(scheme) <= _LONGEST_SCHEME else "this"
    raise NotAuthenticated(f"{named} is no way to sign in here; {_REMEDY}", field="Authorization")
