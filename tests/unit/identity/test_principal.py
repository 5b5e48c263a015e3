from __future__ import annotations

from uuid import UUID

import pytest

from domain.errors import InvalidInput
from domain.identity.ids import OrganizationId, PrincipalId
from domain.identity.principal import Principal, PrincipalKind, Role


def test_each_role_includes_those_before_it() -> None:
    ladder = [Role.VIEWER, Role.MEMBER, Role.CURATOR, Role.ADMIN, Role.OWNER]
    for high, role in enumerate(ladder):
        for low, other in enumerate(ladder):
            assert role.at_least(other) is (high >= low)


@pytest.mark.parametrize(("connection_id", "name", "field"), [("", "An", "connection_id"), ("key-1", " ", "name")])
def test_a_principal_has_a_connection_and_a_name(connection_id: str, name: str, field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        Principal(
            PrincipalId(UUID(int=1)), OrganizationId(UUID(int=2)), PrincipalKind.HUMAN, Role.MEMBER, connection_id, name
        )
    assert refusal.value.field == field
