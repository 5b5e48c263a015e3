"""How far a kind of source is trusted when nobody says: 1 authoritative, 2 curated, 3 informational, 4 unverified."""

from __future__ import annotations

from domain.errors import InvalidInput, shown

DEFAULT_TIERS = {
    "connector": 2,
    "record_export": 2,
    "upload": 2,
    "folder": 2,
    "person": 2,
    "api": 3,
    "conversation": 3,
    "research": 4,
    "agent": 4,
}


def default_tier(kind: str) -> int:
    """The tier of a source of this kind. Raises InvalidInput for an unknown kind."""
    if kind not in DEFAULT_TIERS:
        raise InvalidInput(f"source kind {shown(kind)} is none of {', '.join(sorted(DEFAULT_TIERS))}", field="source")
    return DEFAULT_TIERS[kind]
