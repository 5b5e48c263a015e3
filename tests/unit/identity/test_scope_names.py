"""How clients name scopes, and what the permission table allows."""

from __future__ import annotations

from contextlib import suppress
from uuid import UUID

import pytest

from domain.errors import Forbidden, InvalidInput
from domain.identity.access import Access
from domain.identity.api_key import ApiKey
from domain.identity.ids import GroupId, OrganizationId, PrincipalId
from domain.identity.permissions import Action, permit
from domain.identity.principal import Principal, PrincipalKind, Role
from domain.identity.scope_name import ScopeKind, ScopeName, group_id_of


def test_the_four_kinds_of_names() -> None:
    assert ScopeName.parse("organization") == ScopeName(ScopeKind.ORGANIZATION)
    assert ScopeName.parse("personal") == ScopeName(ScopeKind.PERSONAL)
    assert ScopeName.parse("Nghiên-cứu") == ScopeName(ScopeKind.WORKSPACE, "nghiên-cứu")
    assert ScopeName.parse("sales/q3_2026") == ScopeName(ScopeKind.PROJECT, "sales", "q3_2026")


@pytest.mark.parametrize("text", ["", "/", "a/", "/b", "a/b/c", "a b", "-a", "a/organization", "x" * 101, "a\n"])
def test_what_cannot_be_a_name_is_refused_with_its_field(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        ScopeName.parse(text)
    assert refused.value.field == "scope"


@pytest.mark.parametrize("text", ["w_" + "0" * 32, "W:" + "A" * 32, "o" + "f" * 32, "sales/p_" + "1" * 32])
def test_a_group_id_is_refused_as_such(text: str) -> None:
    with pytest.raises(InvalidInput, match="is a group_id"):
        ScopeName.parse(text)


def test_group_ids_have_a_letter_and_32_hexadecimal_digits() -> None:
    unique = UUID("01234567-89ab-7def-8123-456789abcdef")
    assert group_id_of(ScopeKind.PERSONAL, unique) == "u_0123456789ab7def8123456789abcdef"


def test_a_key_shows_its_prefix_and_hides_the_rest() -> None:
    key = ApiKey.from_random(bytes(range(32)))
    assert key.text == "assay_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
    assert key.prefix == "assay_AAECAwQF"
    assert key.well_formed
    assert "AAEC" not in repr(key)
    assert not ApiKey(key.text + "=").well_formed


def access(role: Role) -> Access:
    principal = Principal(PrincipalId(UUID(int=1)), OrganizationId(UUID(int=2)), PrincipalKind.HUMAN, role, "c", "Ada")
    group = GroupId("o_" + "0" * 32)
    return Access(principal, (group,), group)


EVERYBODY = {Action.READ, Action.GIVE_FEEDBACK, Action.LEAVE, Action.MANAGE_OWN_KEYS}


@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        (Role.VIEWER, EVERYBODY),
        (
            Role.MEMBER,
            {*EVERYBODY, Action.SUBMIT, Action.ASSERT, Action.REMEMBER, Action.SNAPSHOT, Action.PROPOSE_PROMOTION},
        ),
        (Role.CURATOR, {a for a in Action if a.role not in {Role.ADMIN, Role.OWNER}}),
        (Role.ADMIN, {a for a in Action if a.role is not Role.OWNER}),
        (Role.OWNER, set(Action)),
    ],
)
def test_each_role_may_do_exactly_what_the_table_says(role: Role, allowed: set[Action]) -> None:
    found = set()
    for action in Action:
        with suppress(Forbidden):
            permit(access(role), action)
            found.add(action)
    assert found == allowed
