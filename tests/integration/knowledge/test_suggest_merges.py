"""Predicates that may be one wait as proposals; a person merges them, and takes that back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from adapters.embeddings.deterministic import DeterministicEmbedder
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.system.ids import TimeOrderedIds
from application.identity.access import AccessResolver
from application.ingestion.regrade_source import RegradeSource
from application.knowledge.change import ChangeWriter
from application.knowledge.change_vocabulary import ChangeVocabulary
from application.knowledge.merge_suggestions import MergeSuggestion, merge_suggestions
from application.knowledge.suggest_merges import SuggestMerges
from application.knowledge.undo import Undo
from domain.errors import Forbidden, InvalidInput, Unavailable
from domain.identity.ids import Revision
from domain.identity.principal import PrincipalKind, Role
from domain.knowledge.assertion import Claim, Mention
from domain.knowledge.near_synonyms import Merge
from tests.services.contradicting import claim
from tests.services.world import World

OPEN = "to_rev = 9223372036854775807"


@pytest.fixture
def suggest(world: World) -> SuggestMerges:
    return suggesting(world)


def suggesting(world: World, *, embedder: Any = None) -> SuggestMerges:
    resolver = AccessResolver(PostgresScopeFinder(world.pool))
    change = ChangeVocabulary(resolver, world.unit_of_work, world.keys, TimeOrderedIds())
    return SuggestMerges(resolver, world.unit_of_work, change, embedder or DeterministicEmbedder(), TimeOrderedIds())


def plain(subject: str, predicate: str, target: str, kind: str | None = None) -> Claim:
    return Claim(Mention(subject), predicate, Mention(target, kind), 1.0)


async def used(world: World) -> dict[str, int]:
    rows = await world.rows(
        f"SELECT predicate, count(*) AS facts FROM standings WHERE {OPEN} AND lifecycle = 'active' GROUP BY 1"
    )
    return {row["predicate"]: row["facts"] for row in rows}


def by_source(found: tuple[MergeSuggestion, ...] | list[MergeSuggestion]) -> dict[str, tuple[str, Merge]]:
    return {each.source: (each.target, each.merge) for each in found}


async def test_a_variant_waits_with_every_factor_is_merged_and_the_merge_is_undone(
    world: World, suggest: SuggestMerges
) -> None:
    await world.say(*(plain(f"P{n}", "pilots", f"Ship {n}") for n in range(6)), source="a")
    await world.say(*(plain(f"P{n}", "piloted", f"Ship {n}") for n in range(4)), source="b")
    before = await used(world)
    done = await suggest(world.access)
    (found,) = done.proposed
    assert (found.source, found.target, found.merge) == ("PILOTED", "PILOTS", Merge.SYNONYM)
    assert (found.variant, found.name, found.shared, found.of, found.different) == (True, 1.0, 4, 4, 0)
    assert found.score > 0.9
    assert (found.facts, found.target_facts) == (4, 6)
    assert found.effect is not None
    assert (found.effect.facts, found.effect.moved, found.effect.lost) == (10, 4, 0)
    assert await used(world) == before, "nothing merges by itself"
    (waiting,) = await merge_suggestions(world.unit_of_work, world.access)
    assert [each.sentence for each in waiting.alike] == [
        "P0 piloted Ship 0", "P1 piloted Ship 1", "P0 pilots Ship 0", "P1 pilots Ship 1",
    ]  # fmt: skip
    again = await suggest(world.access)
    assert (again.proposed, again.waiting, again.revision) == ((), 1, None)
    await world.decide.proposal(world.access, found.proposal_id, True, "one verb")
    assert await used(world) == {"PILOTS": 6}
    assert (await suggest(world.access)).proposed == ()
    (entry,) = await world.rows("SELECT revision FROM mutations WHERE kind = 'change_vocabulary'")
    writer, keys = ChangeWriter(TimeOrderedIds()), world.keys
    resolver = AccessResolver(PostgresScopeFinder(world.pool))
    change = ChangeVocabulary(resolver, world.unit_of_work, keys, TimeOrderedIds())
    undo = Undo(world.unit_of_work, writer, keys, change, RegradeSource(world.unit_of_work, writer, keys))
    await undo(world.access, Revision(entry["revision"]))
    assert await used(world) == before
    undone = await suggest(world.access)
    assert (undone.proposed, undone.decided) == ((), 1), "a merge that was taken back counts as decided"


async def test_what_was_rejected_is_not_proposed_again_until_its_evidence_grew(
    world: World, suggest: SuggestMerges
) -> None:
    await world.say(*(plain(f"P{n}", "pilots", f"Ship {n}") for n in range(12)), source="a")
    await world.say(*(plain(f"P{n}", "piloted", f"Ship {n}") for n in range(4)), source="b")
    (found,) = (await suggest(world.access)).proposed
    await world.decide.proposal(world.access, found.proposal_id, False, "one is over")
    await world.say(*(plain(f"P{n}", "piloted", f"Ship {n}") for n in range(4, 8)), source="b")
    still = await suggest(world.access)
    assert (still.proposed, still.decided) == ((), 1), "8 shared ends are twice 4, but not five more"
    await world.say(plain("P8", "piloted", "Ship 8"), source="b")
    (again,) = (await suggest(world.access)).proposed
    assert (again.shared, again.proposal_id != found.proposal_id) == (9, True)


async def test_words_with_nothing_in_common_are_found_by_shared_ends_and_turned_ones_are_an_inverse(
    world: World, suggest: SuggestMerges
) -> None:
    for n in range(12):
        await world.say(plain(f"P{n}", "steers", f"Ship {n}"), plain(f"P{n}", "pilots", f"Ship {n}"), source=f"s{n}")
        await world.say(plain(f"M{n}", "mentors", f"A{n}"), plain(f"A{n}", "apprenticed to", f"M{n}"), source=f"m{n}")
    found = (await suggest(world.access)).proposed
    assert by_source(found) == {
        "STEERS": ("PILOTS", Merge.SYNONYM),
        "APPRENTICED_TO": ("MENTORS", Merge.INVERSE),
    }
    inverse = next(each for each in found if each.merge is Merge.INVERSE)
    await world.decide.proposal(world.access, inverse.proposal_id, True, None)
    assert (await used(world))["MENTORS"] == 12
    assert "APPRENTICED_TO" not in await used(world)


async def test_a_slip_of_the_pen_goes_to_a_built_in_predicate_that_nobody_used_yet(
    world: World, suggest: SuggestMerges
) -> None:
    await world.say(plain("Acme", "headquatered in", "Lyon"))
    (found,) = (await suggest(world.access)).proposed
    assert (found.source, found.target, found.target_facts) == ("HEADQUATERED_IN", "HEADQUARTERED_IN", 0)
    await world.decide.proposal(world.access, found.proposal_id, True, None)
    assert await used(world) == {"HEADQUARTERED_IN": 1}


async def test_different_objects_at_one_time_and_opposite_words_speak_against_a_merge(
    world: World, suggest: SuggestMerges
) -> None:
    for n in range(10):
        await world.say(plain(f"P{n}", "tutors", f"A{n}"), plain(f"P{n}", "tutored", f"B{n}"), source=f"s{n}")
        await world.say(plain(f"P{n}", "likes", f"C{n}"), plain(f"P{n}", "dislikes", f"C{n}"), source=f"l{n}")
    assert (await suggest(world.access)).proposed == ()
    past = [claim(f"R{n}", "coaches", f"D{n}", since="2022-01-01") for n in range(10)]
    past += [claim(f"R{n}", "coaching", f"E{n}", since="2010-01-01", until="2020-01-01") for n in range(10)]
    await world.say(*past, source="times")
    assert by_source((await suggest(world.access)).proposed) == {"COACHING": ("COACHES", Merge.SYNONYM)}


async def test_kinds_that_never_meet_speak_against_a_merge(world: World, suggest: SuggestMerges) -> None:
    await world.say(*(plain(f"P{n}", "pilots", f"Ship {n}", "ship") for n in range(5)), source="a")
    await world.say(*(plain(f"Q{n}", "piloted", f"Plan {n}", "programme") for n in range(5)), source="b")
    assert (await suggest(world.access)).proposed == ()


async def test_without_a_model_words_and_facts_are_compared_alone(world: World) -> None:
    class Silent(DeterministicEmbedder):
        async def embed_passages(self, texts: Any) -> Any:
            raise Unavailable("the model does not answer")

    await world.say(plain("P", "pilots", "Ship"), plain("P", "piloted", "Ship"))
    done = await suggesting(world, embedder=Silent())(world.access)
    assert (done.by_meaning, len(done.proposed)) == (False, 1)


async def test_it_takes_an_administrator_and_a_sensible_limit(world: World, suggest: SuggestMerges) -> None:
    with pytest.raises(Forbidden, match="admin"):
        await suggest(world.acting(PrincipalKind.HUMAN, Role.CURATOR))
    with pytest.raises(InvalidInput, match="limit is 1 to 50, not 0"):
        await suggest(world.access, 0)


async def test_two_people_at_once_propose_a_merge_once(world: World, suggest: SuggestMerges) -> None:
    await world.say(plain("P", "pilots", "Ship"), plain("P", "piloted", "Ship"))
    done = await asyncio.gather(suggest(world.access), suggest(world.access))
    assert sorted((len(each.proposed), each.waiting) for each in done) == [(0, 1), (1, 0)]
    rows = await world.rows("SELECT 1 FROM proposals WHERE kind = 'vocabulary'")
    assert len(rows) == 1
