"""Any mutation of the record is put back by another one, or refused with what depends on it."""

from __future__ import annotations

import pytest

from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from application.identity.access import AccessResolver
from application.knowledge.change import ChangeWriter
from application.knowledge.change_vocabulary import ChangeVocabulary
from application.knowledge.correct import Correct, Correction, Verdict
from application.knowledge.rebuild_standings import RebuildStandings
from application.knowledge.undo import Undo
from domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from domain.identity.ids import DocumentId, FactId, Revision, SourceId
from domain.identity.principal import PrincipalKind, Role
from domain.knowledge.assertion import AssertionState, Claim, Mention
from domain.knowledge.predicate import Cardinality, PredicatePolicy, Succession
from tests.services.world import World

OPEN = "to_rev = 9223372036854775807"
NOTE = "Acme Corporation was founded by Ada Byron in 1999. The Acme Corporation is based in Lyon."


@pytest.fixture
def vocabulary(world: World) -> ChangeVocabulary:
    resolver = AccessResolver(PostgresScopeFinder(world.pool))
    return ChangeVocabulary(resolver, world.unit_of_work, world.keys, TimeOrderedIds())


@pytest.fixture
def undo(world: World, vocabulary: ChangeVocabulary) -> Undo:
    return Undo(world.unit_of_work, ChangeWriter(TimeOrderedIds()), world.keys, vocabulary, world.regrade)


def says(subject: str, predicate: str, target: str) -> Claim:
    return Claim(Mention(subject), predicate, Mention(target), 1.0)


async def head(world: World) -> Revision:
    return Revision((await world.rows("SELECT revision FROM heads"))[0]["revision"])


async def picture(world: World) -> dict[str, list[tuple[object, ...]]]:
    """All that reads show: standings, current passages, documents' states and sources' grades."""
    queries = {
        "standings": f"SELECT fact_id, lifecycle, standing_hash FROM standings WHERE {OPEN} ORDER BY 1, 3",
        "chunks": f"SELECT version_id, ordinal, text FROM chunks WHERE {OPEN} ORDER BY 1, 2",
        "states": f"SELECT version_id, status FROM document_states WHERE {OPEN} ORDER BY 1",
        "grades": f"SELECT source_id, tier, trust, withdrawn FROM source_grades WHERE {OPEN} ORDER BY 1",
        "names": f"SELECT entity_id, normal FROM names WHERE {OPEN} ORDER BY 1, 2",
    }
    return {name: [tuple(row) for row in await world.rows(query)] for name, query in queries.items()}


async def all_equal(world: World) -> None:
    rebuild = RebuildStandings(AccessResolver(PostgresScopeFinder(world.pool)), world.unit_of_work, TimeOrderedIds())
    for revision in range(1, await head(world) + 1):
        assert (await rebuild(world.access, Revision(revision))).discrepancies == (), revision


async def test_a_retracted_document_comes_back_with_its_passages_and_facts_and_goes_again(
    world: World, undo: Undo
) -> None:
    receipt = await world.read(NOTE, "note.txt")
    assert receipt.document_id is not None
    before = await picture(world)
    assert before["chunks"]
    assert before["standings"]
    retracted = await world.retract.document(world.access, DocumentId(receipt.document_id), None)
    gone = await picture(world)
    assert gone["chunks"] == []
    assert retracted.revision is not None
    done = await undo(world.access, retracted.revision)
    assert (done.undid, done.kind) == (retracted.revision, "retract_document")
    assert await picture(world) == before
    await undo(world.access, done.revision)
    assert await picture(world) == gone
    await all_equal(world)


async def test_a_retracted_source_comes_back_and_what_was_approved_is_still_so(world: World, undo: Undo) -> None:
    waiting = await world.say(says("Acme", "founded by", "Ada"), state=AssertionState.PENDING)
    await world.say(says("Acme", "alias of", "Acme Corporation"))
    await world.decide.assertions(world.access, list(waiting.placed), True, None, False)
    before = await picture(world)
    source = SourceId((await world.rows("SELECT source_id FROM sources WHERE name = 'records'"))[0]["source_id"])
    retracted = await world.retract.source(world.access, source, None)
    assert retracted.revision is not None
    await undo(world.access, retracted.revision)
    assert await picture(world) == before
    approved = await world.rows(f"SELECT approved FROM placements WHERE assertion_id = $1 AND {OPEN}", *waiting.placed)
    assert [row["approved"] for row in approved] == [True]


async def test_what_was_said_an_approval_and_a_correction_are_taken_back(world: World, undo: Undo) -> None:
    first = await world.say(says("Acme", "headquartered in", "Lyon"), state=AssertionState.PENDING)
    proposed = await picture(world)
    await world.decide.assertions(world.access, list(first.placed), True, None, False)
    await undo(world.access, await head(world))
    assert (await picture(world))["standings"] == proposed["standings"]
    second = await world.say(says("Acme", "founded by", "Ada"))
    assert second.revision is not None
    await undo(world.access, second.revision, "said by mistake")
    assert (await picture(world))["standings"][0][1] in ("proposed", "retracted")
    live = await world.say(says("Acme", "owns", "Brik"), source="b")
    before = await picture(world)
    (fact_id,) = live.placed.values()
    correct = Correct(
        world.unit_of_work, world.streams, ChangeWriter(TimeOrderedIds()), world.keys, SystemClock(), TimeOrderedIds()
    )
    done = await correct(world.access, Correction(FactId(fact_id), Verdict.DENY, await head(world)))
    await undo(world.access, done.revision)
    assert (await picture(world))["standings"] == before["standings"]
    await all_equal(world)


async def test_a_grade_and_a_policy_are_set_back(world: World, undo: Undo, vocabulary: ChangeVocabulary) -> None:
    await world.say(says("Acme", "mascot", "Fox"), source="a")
    await world.say(says("Acme", "mascot", "Owl"), source="b")
    before = await picture(world)
    source = SourceId((await world.rows("SELECT source_id FROM sources WHERE name = 'a'"))[0]["source_id"])
    regraded = await world.regrade(world.access, source, 4, 0.1, None)
    await undo(world.access, regraded.revision)
    assert await picture(world) == before
    policy = PredicatePolicy("MASCOT", Cardinality.ONE, succession=Succession.NEVER)
    changed = await vocabulary(world.access, [policy])
    assert changed.revision is not None
    assert await picture(world) != before
    await undo(world.access, changed.revision)
    assert await picture(world) == before
    assert await world.rows(f"SELECT 1 FROM predicates WHERE {OPEN}") == []
    await all_equal(world)


async def test_what_something_later_builds_on_is_refused_and_the_later_revision_named(
    world: World, undo: Undo, vocabulary: ChangeVocabulary
) -> None:
    said = await world.say(says("Acme", "founded by", "Ada"), state=AssertionState.PENDING)
    await world.decide.assertions(world.access, list(said.placed), True, None, False)
    approval = await head(world)
    assert said.revision is not None
    before = await picture(world)
    with pytest.raises(Conflict, match=f"changed again since, at revision {approval}; undo the later ones first"):
        await undo(world.access, said.revision)
    first = await vocabulary(world.access, [PredicatePolicy("MASCOT", minimum_tier=2)])
    await vocabulary(world.access, [PredicatePolicy("MASCOT", minimum_tier=1)])
    assert first.revision is not None
    with pytest.raises(Conflict, match="the policy of MASCOT was changed after revision"):
        await undo(world.access, first.revision)
    assert await picture(world) == before


async def test_what_cannot_be_undone_and_who_may_not(world: World, undo: Undo) -> None:
    await world.say(says("Acme", "founded by", "Ada"))
    with pytest.raises(InvalidInput, match="a mutation of the kind add_source, which cannot be undone"):
        await undo(world.access, Revision(1))
    with pytest.raises(NotFound, match="no mutation 99 in your scopes"):
        await undo(world.access, Revision(99))
    with pytest.raises(Forbidden, match="undoing needs the role curator"):
        await undo(world.acting(PrincipalKind.HUMAN, Role.MEMBER), await head(world))
