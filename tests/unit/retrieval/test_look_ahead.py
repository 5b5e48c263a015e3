"""A pin narrows, and its token is one organization's until it ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from domain.errors import InvalidInput
from domain.identity.ids import OrganizationId, Revision
from domain.retrieval.look_ahead import Pin, sealed, unsealed
from domain.retrieval.reading import ReadPoint

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ACME, KEY = OrganizationId(UUID(int=1)), b"k" * 32
PIN = Pin(ACME, datetime(2020, 1, 1, tzinfo=UTC), Revision(7), NOW + timedelta(hours=1))


def test_a_token_opens_to_what_it_was_made_of() -> None:
    assert unsealed(sealed(PIN, KEY), KEY, ACME, NOW) == PIN


def test_a_token_ends_and_is_of_one_key_and_organization() -> None:
    token = sealed(PIN, KEY)
    for key, organization, now, what in (
        (b"x" * 32, ACME, NOW, "no read point of this organization"),
        (KEY, OrganizationId(UUID(int=2)), NOW, "no read point of this organization"),
        (KEY, ACME, PIN.expires_at, "ended at"),
    ):
        with pytest.raises(InvalidInput, match=what):
            unsealed(token, key, organization, now)


def test_every_changed_character_is_noticed() -> None:
    token = sealed(PIN, KEY)
    for place in range(len(token) - 1):
        changed = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
        with pytest.raises(InvalidInput):
            unsealed(changed, KEY, ACME, NOW)


def test_a_point_is_filled_in_and_never_widened() -> None:
    assert PIN.hold(ReadPoint()) == ReadPoint(PIN.as_of, Revision(7), horizon=PIN.as_of)
    earlier = ReadPoint(datetime(2019, 1, 1, tzinfo=UTC), Revision(3))
    held = PIN.hold(earlier)
    assert (held.as_of, held.known_at) == (earlier.as_of, earlier.known_at)
    for wider in (ReadPoint(NOW), ReadPoint(known_at=Revision(8)), ReadPoint(all_time=True)):
        with pytest.raises(InvalidInput, match="past the read point"):
            PIN.hold(wider)
