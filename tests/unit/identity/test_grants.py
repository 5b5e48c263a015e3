"""What a token may do at most, whatever the role of its principal."""

from __future__ import annotations

from uuid import UUID

import pytest

from domain.errors import Forbidden, InsufficientScope, NotAuthenticated
from domain.identity.access import Access
from domain.identity.grants import Grant, grants_in
from domain.identity.ids import GroupId, OrganizationId, PrincipalId
from domain.identity.permissions import Action, permit
from domain.identity.principal import Principal, PrincipalKind, Role
from domain.ports.token_verifier import Credential, Resource

ROOT = GroupId("o_" + "0" * 32)


def access(role: Role, grants: frozenset[Grant] | None) -> Access:
    principal = Principal(
        PrincipalId(UUID(int=1)), OrganizationId(UUID(int=2)), PrincipalKind.AGENT, role, "connection", "Ada", grants
    )
    return Access(principal, (ROOT,), ROOT)


def test_words_of_a_scope_claim_that_mean_nothing_here_grant_nothing() -> None:
    assert grants_in(["openid", "read", "profile", "propose"]) == {Grant.READ, Grant.PROPOSE}
    assert grants_in(["READ", "reads"]) == frozenset()


@pytest.mark.parametrize("grant", Grant)
def test_an_owner_may_do_with_a_grant_exactly_what_it_covers(grant: Grant) -> None:
    owner = access(Role.OWNER, frozenset({grant}))
    for action in Action:
        if action.grant is grant or grant is Grant.ADMIN:
            permit(owner, action)
        else:
            with pytest.raises(InsufficientScope) as refused:
                permit(owner, action)
            assert refused.value.scope == action.grant.value


def test_a_grant_never_gives_what_the_role_does_not() -> None:
    with pytest.raises(Forbidden, match="needs the role admin"):
        permit(access(Role.VIEWER, frozenset({Grant.ADMIN})), Action.ERASE)


def test_without_a_bound_the_role_decides_and_with_an_empty_one_nothing_is_allowed() -> None:
    permit(access(Role.OWNER, None), Action.ERASE)
    with pytest.raises(InsufficientScope):
        permit(access(Role.OWNER, frozenset()), Action.READ)


def test_a_token_for_one_resource_is_refused_at_another_and_a_key_at_none() -> None:
    principal = access(Role.VIEWER, None).principal
    token = Credential(principal, ROOT, frozenset({Resource.MCP}))
    token.require_for(Resource.MCP)
    with pytest.raises(NotAuthenticated, match="another resource"):
        token.require_for(Resource.API)
    Credential(principal, ROOT).require_for(Resource.API)
