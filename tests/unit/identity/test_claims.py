"""From the claims of a token to who that is here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from application.identity.admit_subject import changes_to
from domain.errors import NotAuthenticated
from domain.identity.claims import claim_of, grants_of, identity_of, is_machine, resources_of
from domain.identity.grants import Grant
from domain.identity.ids import GroupId, OrganizationId
from domain.identity.issuer import Issuer, MembershipRule
from domain.identity.principal import PrincipalKind, Role
from domain.identity.resource import Resource

ACME, OTHER = OrganizationId(UUID(int=1)), OrganizationId(UUID(int=2))
ISSUER = Issuer(
    url="https://id.example",
    audiences={"https://assay.example": Resource.API, "https://assay.example/mcp": Resource.MCP},
    algorithms=("RS256",),
    organization_id=ACME,
    memberships=(
        MembershipRule("organization", Role.VIEWER, kind=PrincipalKind.HUMAN),
        MembershipRule("organization", Role.ADMIN, "groups", "admins"),
        MembershipRule("sales", Role.CURATOR, "realm_access.roles", "sales"),
        MembershipRule("sales", Role.MEMBER, "realm_access.roles"),
        MembershipRule("bots", Role.MEMBER, "client_id", "robot", PrincipalKind.AGENT),
    ),
)
ALICE = {"sub": "alice", "name": "Alice", "client_id": "browser", "groups": ["admins", "x"]}
ROBOT = {"sub": "robot", "client_id": "robot"}


def test_a_person_gets_the_greatest_role_of_every_rule_that_applies() -> None:
    alice = identity_of(ISSUER, ALICE | {"realm_access": {"roles": ["sales"]}})
    assert (alice.organization_id, alice.subject, alice.kind) == (ACME, "https://id.example#alice", "human")
    assert alice.memberships == {"organization": Role.ADMIN, "sales": Role.CURATOR}
    assert (alice.name, alice.connection) == ("Alice", "token browser")
    assert identity_of(ISSUER, {"sub": "bob", "realm_access": {"roles": ["x"]}}).memberships == {
        "organization": Role.VIEWER, "sales": Role.MEMBER,
    }  # fmt: skip


def test_a_program_that_signs_in_for_itself_is_an_agent() -> None:
    robot = identity_of(ISSUER, ROBOT)
    assert (robot.kind, robot.memberships) == (PrincipalKind.AGENT, {"bots": Role.MEMBER})
    assert (robot.name, robot.shown_name) == (None, "robot")
    assert is_machine(ISSUER, {"sub": "a@clients", "azp": "a"})
    assert not is_machine(ISSUER, ALICE)
    marked = replace(ISSUER, machine_claim="idtyp", machine_value="app")
    assert is_machine(marked, {"sub": "0a", "azp": "0b", "idtyp": "app"})
    assert not is_machine(marked, ROBOT)


@pytest.mark.parametrize("subject", [None, "", 7, ["alice"], "a" * 256, "al\nice", "ali\u202ece"])
def test_a_subject_that_is_none_is_refused(subject: object) -> None:
    with pytest.raises(NotAuthenticated, match="no usable subject"):
        identity_of(ISSUER, {"sub": subject})


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ({"name": "Mal\u202elory\u0007 \u200b"}, "Mallory"),
        ({"name": "n" * 10_000}, "n" * 200),
        ({"name": "\u202e", "email": "a@b.example"}, "a@b.example"),
        ({"name": 7, "preferred_username": "al"}, "al"),
        ({}, None),
    ],
)
def test_names_have_nothing_that_a_page_obeys(claims: Mapping[str, Any], name: str | None) -> None:
    assert identity_of(ISSUER, {"sub": "mallory", **claims}).name == name


def test_an_organization_comes_from_the_issuer_or_from_exactly_one_value_of_a_claim() -> None:
    mapped = replace(ISSUER, organization_id=None, organization_claim="org", organizations={"a": ACME, "b": OTHER})
    assert identity_of(mapped, ALICE | {"org": "b"}).organization_id == OTHER
    assert identity_of(mapped, ALICE | {"org": ["a", "x"]}).organization_id == ACME
    for value in (None, "x", ["a", "b"], {"a": 1}):
        with pytest.raises(NotAuthenticated, match="names no organization"):
            identity_of(mapped, ALICE | {"org": value})


def test_a_claim_is_found_by_its_whole_name_before_its_path() -> None:
    claims = {"https://acme.example/roles": ["a"], "x.y": 1, "x": {"y": 2}}
    assert claim_of(claims, "https://acme.example/roles") == ["a"]
    assert claim_of(claims, "x.y") == 1
    assert claim_of({"x": {"y": 2}}, "x.y") == 2
    assert claim_of({"x": [1]}, "x.y") is None


def test_grants_are_the_scopes_of_ours_else_the_issuers_default() -> None:
    assert grants_of(ISSUER, {"scope": "openid read propose"}) == {Grant.READ, Grant.PROPOSE}
    assert grants_of(ISSUER, {"scp": ["snapshot", "x"]}) == {Grant.SNAPSHOT}
    assert grants_of(ISSUER, {"scope": "openid"}) == {Grant.READ}
    assert grants_of(replace(ISSUER, default_grants=frozenset()), {}) == frozenset()


def test_resources_are_the_audiences_that_are_ours() -> None:
    assert resources_of(ISSUER, {"aud": "https://assay.example/mcp"}) == {Resource.MCP}
    assert resources_of(ISSUER, {"aud": ["x", "https://assay.example"]}) == {Resource.API}
    assert resources_of(ISSUER, {"aud": "https://assay.example/"}) == frozenset()


def test_the_digest_changes_with_what_the_claims_give_and_with_nothing_else() -> None:
    alice = identity_of(ISSUER, ALICE)
    assert identity_of(ISSUER, ALICE | {"jti": "other", "groups": ["x", "admins"]}).digest == alice.digest
    assert identity_of(ISSUER, ALICE | {"groups": []}).digest != alice.digest
    assert identity_of(ISSUER, ALICE | {"name": "Alicia"}).digest != alice.digest


def test_roles_follow_the_claims_in_scopes_that_exist() -> None:
    root, sales, gone = GroupId("o_1"), GroupId("w_1"), GroupId("w_2")
    changes = changes_to(
        {root: Role.ADMIN, gone: Role.MEMBER},
        {"organization": Role.ADMIN, "sales": Role.VIEWER, "nowhere": Role.OWNER},
        {"organization": root, "sales": sales, "old": gone},
    )
    assert (dict(changes.give), changes.take, changes.missing) == ({sales: Role.VIEWER}, (gone,), ("nowhere",))
