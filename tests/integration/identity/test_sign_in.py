"""Keys, scopes and roles on the real database."""

from __future__ import annotations

import base64
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import cast

import asyncpg
import pytest

from adapters.postgres.api_keys import PostgresApiKeys
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.postgres.subjects import PostgresSubjects
from adapters.postgres.unit_of_work import PostgresUnitOfWork
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from application.identity import queries
from application.identity.access import AccessResolver
from application.identity.add_principal import AddPrincipal, NewPrincipal
from application.identity.break_glass import BreakGlass, Emergency
from application.identity.create_organization import CreateOrganization, NewOrganization, Operator
from application.identity.create_scope import CreateScope
from application.identity.issue_key import IssueKey, NewKey
from application.identity.remembered import Remembered
from application.identity.revoke_key import RevokeKey
from application.identity.rotate_key import RotateKey, Rotation
from application.identity.set_membership import NewMembership, SetMembership
from domain.errors import Conflict, Forbidden, InvalidInput, NotAuthenticated, NotFound
from domain.identity.access import Access
from domain.identity.grants import Grant
from domain.identity.ids import OrganizationId, PrincipalId
from domain.identity.principal import PrincipalKind, Role
from domain.journal.entries import EntriesRead
from domain.ports.token_verifier import Credential
from domain.ports.unit_of_work import UnitOfWork


class Moment:
    """A monotonic clock that a test moves."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@dataclass
class World:
    pool: asyncpg.Pool
    moment: Moment

    def __post_init__(self) -> None:
        ids = TimeOrderedIds()
        self.unit_of_work = cast(UnitOfWork, PostgresUnitOfWork(self.pool))
        self.keys = PostgresApiKeys(self.pool, now=self.moment)
        self.resolve = AccessResolver(PostgresScopeFinder(self.pool), now=self.moment)
        self.create_organization = CreateOrganization(self.unit_of_work, ids)
        self.create_scope = CreateScope(self.unit_of_work, ids)
        self.add_principal = AddPrincipal(self.unit_of_work, ids)
        self.set_membership = SetMembership(self.unit_of_work)
        self.issue_key = IssueKey(self.unit_of_work, SystemClock(), ids)
        self.break_glass = BreakGlass(PostgresSubjects(self.pool), self.unit_of_work, self.resolve, SystemClock(), ids)
        self.rotate_key = RotateKey(self.unit_of_work, SystemClock(), ids)
        self.revoke_key = RevokeKey(self.unit_of_work)

    async def organization(self, name: str = "Acme") -> Credential:
        made = await self.create_organization(Operator("test"), NewOrganization(name, "Olga"))
        return await self.keys.verify(made.key.key.text)

    async def member(self, admin: Access, role: Role, kind: PrincipalKind = PrincipalKind.HUMAN) -> PrincipalId:
        return (await self.add_principal(admin, NewPrincipal("Max", kind, role))).id

    async def key_of(self, admin: Access, principal_id: PrincipalId, role: Role) -> Credential:
        issued = await self.issue_key(admin, NewKey(principal_id, "laptop", role))
        return await self.keys.verify(issued.key.text)


@pytest.fixture
def world(pool: asyncpg.Pool) -> World:
    return World(pool, Moment())


async def test_an_organization_comes_with_its_owner_and_a_working_key(world: World) -> None:
    owner = await world.organization()
    assert (owner.principal.name, owner.principal.role, owner.principal.kind) == ("Olga", Role.OWNER, "human")
    access = await world.resolve(owner)
    assert access.read_scopes == (owner.reach,)
    summary = await queries.organization(world.unit_of_work, access)
    assert (summary.name, summary.gate) == ("Acme", "by_tier")


async def test_malformed_unknown_and_revoked_keys_read_the_same(world: World) -> None:
    owner = await world.organization()
    everything = await world.resolve.with_everything_below(owner)
    spare = await world.issue_key(everything, NewKey(owner.principal.id, "spare", Role.VIEWER))
    await world.keys.verify(spare.key.text)
    assert await world.revoke_key(everything, spare.id) is not None
    assert await world.revoke_key(everything, spare.id) is None
    world.moment.seconds += 3.1
    refusals = set()
    for token in ("", "assay_", "assay_" + base64.urlsafe_b64encode(bytes(32)).decode().rstrip("="), spare.key.text):
        with pytest.raises(NotAuthenticated) as refused:
            await world.keys.verify(token)
        refusals.add(refused.value.message)
    assert len(refusals) == 1


async def test_an_expired_key_says_so(world: World) -> None:
    owner = await world.organization()
    access = await world.resolve(owner)
    soon = datetime.now(UTC) + timedelta(hours=1)
    issued = await world.issue_key(access, NewKey(owner.principal.id, "short", Role.VIEWER, soon))
    async with world.pool.acquire() as connection, connection.transaction():
        await connection.execute(
            "SELECT enter_tenant($1, $2, $2)", access.organization_id, ",".join(access.read_scopes)
        )
        await connection.execute("UPDATE credentials SET expires_at = now() WHERE credential_id = $1", issued.id)
    with pytest.raises(NotAuthenticated, match="expired"):
        await world.keys.verify(issued.key.text)
    with pytest.raises(InvalidInput, match="is over already"):
        await world.issue_key(access, NewKey(owner.principal.id, "past", Role.VIEWER, datetime(2020, 1, 1, tzinfo=UTC)))
    with pytest.raises(InvalidInput, match="no time zone"):
        await world.issue_key(access, NewKey(owner.principal.id, "naive", Role.VIEWER, datetime(2090, 1, 1)))


async def test_use_is_noted_and_lists_show_only_the_prefix(world: World) -> None:
    owner = await world.organization()
    rows = await queries.keys(world.unit_of_work, await world.resolve.with_everything_below(owner))
    (row,) = rows
    assert row.last_used_at is not None
    assert (row.name, row.role, row.scope) == ("first key", Role.OWNER, "organization")
    assert row.prefix.startswith("assay_")
    assert len(row.prefix) == 14


async def test_a_project_reads_itself_then_its_workspace_then_the_organization(world: World) -> None:
    owner = await world.organization()
    root = await world.resolve(owner)
    await world.create_scope(root, "Sales")
    workspace = await world.resolve(owner, "sales")
    await world.create_scope(workspace, "q3")
    project = await world.resolve(owner, "sales/q3")
    assert [g[0] for g in project.read_scopes] == ["p", "w", "o"]
    assert project.write_scope == project.read_scopes[0]
    assert (await world.resolve(owner, "personal")).read_scopes[1:] == root.read_scopes
    listed = await queries.scopes(world.unit_of_work, await world.resolve.with_everything_below(owner))
    assert [(s.kind, s.path) for s in listed] == [
        ("organization", "organization"), ("workspace", "sales"), ("project", "sales/q3"),
    ]  # fmt: skip


async def test_names_are_unique_where_they_stand(world: World) -> None:
    owner = await world.organization()
    root = await world.resolve(owner)
    await world.create_scope(root, "sales")
    with pytest.raises(Conflict, match="there is a workspace 'sales' already"):
        await world.create_scope(root, "SALES")
    other = await world.organization("Other")
    await world.create_scope(await world.resolve(other), "sales")


async def test_foreign_unknown_and_unreachable_scopes_read_the_same(world: World) -> None:
    acme, other = await world.organization(), await world.organization("Other")
    await world.create_scope(await world.resolve(other), "secret")
    root = await world.resolve(acme)
    await world.create_scope(root, "sales")
    await world.create_scope(root, "legal")
    sales = await world.resolve(acme, "sales")
    guest = await world.key_of(sales, await world.member(sales, Role.MEMBER), Role.MEMBER)
    assert (await world.resolve(guest)).read_scopes == sales.read_scopes
    for name in ("secret", "legal", "nothing", "organization"):
        with pytest.raises(NotFound) as refused:
            await world.resolve(guest, name)
        assert refused.value.message == f"there is no scope '{name}' for this key; list its scopes to see their names"


async def test_a_key_acts_with_the_lesser_of_its_role_and_its_membership(world: World) -> None:
    owner = await world.organization()
    root = await world.resolve(owner)
    person = await world.member(root, Role.CURATOR)
    credential = await world.key_of(root, person, Role.CURATOR)
    assert (await world.resolve(credential)).principal.role is Role.CURATOR
    await world.set_membership(root, NewMembership(person, Role.VIEWER))
    assert (await world.resolve(credential)).principal.role is Role.CURATOR
    world.moment.seconds += 3.1
    assert (await world.resolve(credential)).principal.role is Role.VIEWER
    with pytest.raises(InvalidInput, match="has not the role curator"):
        await world.issue_key(root, NewKey(person, "again", Role.CURATOR))


async def test_nobody_gives_or_takes_more_than_they_have(world: World) -> None:
    owner = await world.organization()
    root = await world.resolve(owner)
    admin = await world.resolve(await world.key_of(root, await world.member(root, Role.ADMIN), Role.ADMIN))
    with pytest.raises(Forbidden, match="more than your own, admin"):
        await world.add_principal(admin, NewPrincipal("Eve", PrincipalKind.HUMAN, Role.OWNER))
    with pytest.raises(Forbidden, match="more than your role"):
        await world.set_membership(admin, NewMembership(owner.principal.id, Role.VIEWER))
    everything = await world.resolve.with_everything_below(owner)
    first = (await queries.keys(world.unit_of_work, everything))[-1]
    with pytest.raises(Forbidden, match="more than yours"):
        await world.revoke_key(admin, first.id)
    curator = await world.resolve(await world.key_of(root, await world.member(root, Role.CURATOR), Role.CURATOR))
    for refused in (
        world.add_principal(curator, NewPrincipal("Eve", PrincipalKind.HUMAN, Role.VIEWER)),
        world.create_scope(curator, "mine"),
        world.issue_key(curator, NewKey(curator.principal.id, "mine", Role.VIEWER)),
        world.set_membership(curator, NewMembership(curator.principal.id, Role.VIEWER)),
    ):
        with pytest.raises(Forbidden, match="needs the role admin"):
            await refused


async def test_a_foreign_principal_or_key_is_not_found(world: World) -> None:
    acme, other = await world.organization(), await world.organization("Other")
    access = await world.resolve.with_everything_below(acme)
    theirs = (await queries.keys(world.unit_of_work, await world.resolve.with_everything_below(other)))[0]
    with pytest.raises(NotFound):
        await world.revoke_key(access, theirs.id)
    with pytest.raises(NotFound):
        await world.set_membership(access, NewMembership(other.principal.id, Role.VIEWER))
    with pytest.raises(NotFound):
        await world.issue_key(access, NewKey(other.principal.id, "x", Role.VIEWER))


async def test_a_job_works_as_the_system_in_its_scope(world: World) -> None:
    owner = await world.organization()
    await world.create_scope(await world.resolve(owner), "sales")
    sales = await world.resolve(owner, "sales")
    job = await world.resolve.for_job(sales.organization_id, sales.write_scope)
    assert (job.read_scopes, job.write_scope) == (sales.read_scopes, sales.write_scope)
    assert job.principal.kind is PrincipalKind.SYSTEM
    whole = await world.resolve.for_organization(sales.organization_id, owner.reach)
    assert {g[0] for g in whole.writable} == {"o", "w", "u"}


async def test_every_identity_change_is_in_the_journal(world: World) -> None:
    owner = await world.organization()
    root = await world.resolve(owner)
    await world.create_scope(root, "sales")
    person = await world.member(root, Role.MEMBER)
    await world.issue_key(root, NewKey(person, "laptop", Role.VIEWER))
    async with world.unit_of_work(root) as tx:
        kinds = [each.mutation.kind for each in await tx.chronicle.entries(EntriesRead(limit=10))]
        assert await tx.chronicle.chain_faults(1) == []
    assert kinds == ["create_organization", "create_workspace", "add_principal", "issue_key"]


async def test_a_rotated_key_works_beside_the_new_one_until_the_overlap_is_over(world: World) -> None:
    owner = await world.organization()
    everything = await world.resolve.with_everything_below(owner)
    wish = NewKey(owner.principal.id, "agent", Role.MEMBER, grants=frozenset({Grant.READ, Grant.PROPOSE}))
    first = await world.issue_key(everything, wish)
    rotated = await world.rotate_key(everything, Rotation(first.id, timedelta(hours=2)))
    for key in (first, rotated.key):
        credential = await world.keys.verify(key.key.text)
        assert (credential.principal.role, credential.principal.grants) == (Role.MEMBER, wish.grants)
    left = rotated.old_ends_at - datetime.now(UTC)
    assert timedelta(minutes=119) < left <= timedelta(hours=2)
    listed = {row.id: row for row in await queries.keys(world.unit_of_work, everything)}
    assert (listed[first.id].replaced_by, listed[first.id].expires_at) == (rotated.key.id, rotated.old_ends_at)
    assert listed[rotated.key.id].expires_at is None
    with pytest.raises(Conflict, match="replaced already"):
        await world.rotate_key(everything, Rotation(first.id))
    at_once = await world.rotate_key(everything, Rotation(rotated.key.id, timedelta(0)))
    world.moment.seconds += 3.1
    with pytest.raises(NotAuthenticated, match="expired"):
        await world.keys.verify(rotated.key.key.text)
    assert (await world.keys.verify(at_once.key.key.text)).principal.id == owner.principal.id


async def test_a_key_is_rotated_by_an_administrator_with_its_role_and_within_its_life(world: World) -> None:
    owner = await world.organization()
    root = await world.resolve(owner)
    member = await world.key_of(root, await world.member(root, Role.MEMBER), Role.MEMBER)
    admin = await world.key_of(root, await world.member(root, Role.ADMIN), Role.ADMIN)
    first = (await queries.keys(world.unit_of_work, root))[-1]
    with pytest.raises(Forbidden, match="managing API keys"):
        await world.rotate_key(await world.resolve(member), Rotation(first.id))
    with pytest.raises(Forbidden, match="more than yours"):
        await world.rotate_key(await world.resolve(admin), Rotation(first.id))
    with pytest.raises(InvalidInput, match="0 to 30 days"):
        await world.rotate_key(root, Rotation(first.id, timedelta(days=31)))
    soon = datetime.now(UTC) + timedelta(hours=1)
    short = await world.issue_key(root, NewKey(owner.principal.id, "short", Role.VIEWER, soon))
    assert (await world.rotate_key(root, Rotation(short.id))).old_ends_at == soon
    stranger = await world.resolve.with_everything_below(await world.organization("Other"))
    with pytest.raises(NotFound):
        await world.rotate_key(stranger, Rotation(first.id))


async def test_an_answer_that_was_on_its_way_when_a_change_was_told_is_not_remembered(world: World) -> None:
    remembered: Remembered[str, int] = Remembered(3.0, now=world.moment)
    organization = (await world.organization()).principal.organization_id
    turn = remembered.turn
    remembered.forget(organization)
    remembered.keep("a", 1, organization, turn)
    assert remembered.get("a") is None
    remembered.keep("a", 1, organization, remembered.turn)
    remembered.keep("b", 2, organization, remembered.turn, seconds=1.0)
    world.moment.seconds += 2
    assert (remembered.get("a"), remembered.get("b")) == (1, None)
    remembered.forget(None)
    assert remembered.get("a") is None


async def test_breaking_the_glass_gives_an_owners_key_that_ends_and_is_journalled(world: World) -> None:
    owner = await world.organization()
    root = await world.resolve(owner)
    emergency = Emergency("the provider is gone", owner.principal.organization_id, timedelta(minutes=10))
    for _ in range(2):
        made = await world.break_glass(Operator("test"), emergency)
        way_in = await world.keys.verify(made.key.key.text)
        assert (way_in.principal.name, way_in.principal.kind) == ("Break-glass administrator", PrincipalKind.AGENT)
        assert (await world.resolve(way_in)).principal.role is Role.OWNER
        assert timedelta(minutes=9) < made.ends_at - datetime.now(UTC) <= timedelta(minutes=10)
    async with world.unit_of_work(root) as tx:
        owners = await tx.directory.owners(root.write_scope)
        entries = await tx.chronicle.entries(EntriesRead(kind="break_glass"))
    assert owners == [owner.principal.id]
    assert [entry.mutation.reason for entry in entries] == ["the provider is gone"] * 2
    for lasting in (timedelta(0), timedelta(hours=25)):
        with pytest.raises(InvalidInput, match="up to 24 hours"):
            await world.break_glass(Operator("test"), replace(emergency, lasting=lasting))
    unknown = replace(emergency, organization_id=OrganizationId(made.principal_id))
    with pytest.raises(NotFound, match="no organization"):
        await world.break_glass(Operator("test"), unknown)
    await world.organization("Second")
    with pytest.raises(InvalidInput, match="say which organization"):
        await world.break_glass(Operator("test"), replace(emergency, organization_id=None))
