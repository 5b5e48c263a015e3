"""Who may stop owning an organization."""

from __future__ import annotations

from uuid import UUID

import pytest

from domain.errors import LastOwner
from domain.identity.ids import PrincipalId
from domain.identity.ownership import require_owner_left

OLGA, MAX = PrincipalId(UUID(int=1)), PrincipalId(UUID(int=2))


def test_the_last_owner_stays() -> None:
    with pytest.raises(LastOwner, match="give another person the role owner there first"):
        require_owner_left([OLGA], OLGA)


def test_one_of_two_owners_may_go() -> None:
    require_owner_left([OLGA, MAX], OLGA)


def test_who_owns_nothing_may_go() -> None:
    require_owner_left([OLGA], MAX)
    require_owner_left([], MAX)
