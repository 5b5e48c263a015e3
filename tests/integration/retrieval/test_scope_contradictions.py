"""What one scope says against another, while each agrees with itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.system.ids import TimeOrderedIds
from application.identity.create_scope import CreateScope
from application.retrieval.contradictions import ContradictionsPage, ContradictionsQuery
from application.retrieval.contradictions import contradictions as listed
from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import DocumentId, Revision
from domain.ports.contradictions import DocumentSet
from domain.retrieval.reading import FactFilter, ReadPoint
from domain.standing.contradiction import ContradictionKind
from tests.services.contradicting import claim, reads
from tests.services.shared_database import database as database
from tests.services.shared_database import pool as pool
from tests.services.world import World


async def inside(world: World, name: str) -> Access:
    """A workspace of the world's organization, with everything around it."""
    before = await PostgresScopeFinder(world.pool).below(world.access.organization_id, world.access.write_scope)
    await CreateScope(world.unit_of_work, TimeOrderedIds())(world.access, name)
    after = await PostgresScopeFinder(world.pool).below(world.access.organization_id, world.access.write_scope)
    (group,) = set(after) - set(before)
    return replace(world.access, read_scopes=(group, *world.access.read_scopes), write_scope=group)


async def across(world: World, access: Access, **asked: Any) -> ContradictionsPage:
    return await listed(reads(world), access, ContradictionsQuery(between_scopes=True, **asked))


async def test_scopes_that_differ_are_listed_with_both_sides_and_whose_they_are(world: World) -> None:
    yard = await inside(world, "yard")
    first = await world.say(claim("Brik", "has CEO", "Ada"), claim("Brik", "headquartered in", "Lyon"), source="whole")
    second = await world.say(
        claim("Brik", "has CEO", "Bob"), claim("Brik", "headquartered in", "Lyon"), source="y", access=yard
    )
    await world.say(claim("Brik", "founded by", "Cleo"), source="whole")
    await world.say(claim("Brik", "founded by", "Dora"), source="y", access=yard)
    plain = await listed(reads(world), yard, ContradictionsQuery())
    assert plain.contradictions == (), "each scope agrees with itself"
    page = await across(world, yard)
    (found,) = page.contradictions
    assert (page.total, found.kind, found.predicate, found.between_scopes) == (
        1,
        ContradictionKind.RIVALS,
        "HAS_CEO",
        True,
    )
    assert found.group_id == yard.write_scope
    sides = {side.fact.sentence: (side.fact.group_id, [factor.set for factor in side.factors]) for side in found.sides}
    assert sides == {
        "Brik has as chief executive Ada": (world.access.write_scope, ["organization"]),
        "Brik has as chief executive Bob": (yard.write_scope, ["workspace"]),
    }
    assert (await across(world, yard, predicates=("headquartered in",))).contradictions == ()
    assert (await across(world, world.access)).contradictions == (), "one scope alone differs from nothing"
    assert first.revision is not None
    assert second.revision is not None
    then = await across(world, yard, point=ReadPoint(known_at=first.revision))
    assert then.contradictions == (), "the workspace had said nothing yet"
    now = await across(world, yard, point=ReadPoint(known_at=second.revision))
    assert [each.id for each in now.contradictions] == [found.id]


async def test_what_one_scope_says_and_another_denies(world: World) -> None:
    yard = await inside(world, "yard")
    await world.say(claim("Brik", "uses", "Kafka"), source="whole")
    await world.say(claim("Brik", "uses", "Kafka", denied=True), source="y", access=yard)
    (found,) = (await across(world, yard)).contradictions
    assert (found.kind, found.subject.name, len(found.sides)) == (ContradictionKind.DENIAL, "Brik", 2)
    assert {factor.set for side in found.sides for factor in side.factors} == {"workspace", "organization"}


async def test_two_sets_of_documents_are_compared_as_the_record_was_known(world: World) -> None:
    await world.say(claim("Brik", "has CEO", "Ada"), source="a")
    last = await world.say(claim("Brik", "has CEO", "Bob", 0.5), source="b")
    rows = await world.rows("SELECT document_id FROM documents ORDER BY document_id")
    one, other = (DocumentId(row["document_id"]) for row in rows)
    asked = {"filter": FactFilter(documents=(one,)), "against": DocumentSet((other,))}
    assert last.revision is not None
    for revision, count in ((last.revision, 1), (last.revision - 1, 0)):
        query = ContradictionsQuery(point=ReadPoint(known_at=Revision(revision)), **asked)  # type: ignore[arg-type]
        assert len((await listed(reads(world), world.access, query)).contradictions) == count


async def test_scopes_are_compared_whole_or_by_predicates(world: World) -> None:
    with pytest.raises(InvalidInput, match="scopes are compared whole, or by predicates") as caught:
        await across(world, world.access, settled=True)
    assert caught.value.field == "between_scopes"
