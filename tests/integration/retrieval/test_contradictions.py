"""What contradicts itself, listed from the record: both sides, scores taken apart, the most severe first."""

from __future__ import annotations

import secrets
from dataclasses import replace

import pytest

from application.ingestion.append_claims import StreamItem
from application.ingestion.sources import SourceSpec
from application.ingestion.streams import Stream
from application.knowledge.correct import Correct, Correction, Verdict
from application.retrieval.contradictions import ContradictionsQuery
from application.retrieval.contradictions import contradictions as listed
from application.retrieval.queries import Term
from domain.errors import InvalidInput
from domain.identity.ids import DocumentId, FactId, GroupId, Revision
from domain.knowledge.assertion import AssertionState, Claim, ClaimKind, Polarity
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.objects import TextValue
from domain.ports.contradictions import DocumentSet
from domain.retrieval.contradictions import FoundContradiction
from domain.retrieval.facts import Named
from domain.retrieval.reading import FactFilter, ReadPoint
from domain.standing.contradiction import ContradictionKind, contradictions_in, severity
from domain.standing.testimony import Lifecycle
from tests.integration.knowledge.test_correct import correct as correct
from tests.services.contradicting import claim, contradictions, day, reads
from tests.services.shared_database import database as database
from tests.services.shared_database import pool as pool
from tests.services.world import World

CLAIM, OPINION = ClaimKind.CLAIM, ClaimKind.OPINION
ALL_TIME = ReadPoint(all_time=True)


def names(found: FoundContradiction) -> list[str]:
    return [side.fact.object.name for side in found.sides if isinstance(side.fact.object, Named)]


async def head(world: World) -> Revision:
    return Revision((await world.rows("SELECT revision FROM heads"))[0]["revision"])


async def trusted(world: World, name: str, trust: float) -> Stream:
    """A source with a trust of its own."""
    return await world.streams.open(world.access, SourceSpec(name, "record_export", trust=trust), "stream", "typed")


async def test_rivals_are_listed_with_both_sides_their_sources_and_every_factor_of_their_scores(world: World) -> None:
    await world.say(claim("Acme", "has CEO", "Ada"), source="a")
    await world.say(claim("Acme", "has CEO", "Bob", 0.9), source="b")
    await world.say(claim("Acme", "has CEO", "Bob", 0.8), source="c")
    page = await contradictions(world)
    (found,) = page.contradictions
    assert (page.total, page.next, found.kind, found.open, found.winner) == (
        1,
        None,
        ContradictionKind.RIVALS,
        True,
        None,
    )
    assert (found.predicate, found.valid_from, found.valid_to) == ("HAS_CEO", day("2020-01-01"), None)
    assert (names(found), found.assertions, found.between_scopes) == (["Ada", "Bob"], 3, False)
    ada, bob = found.sides
    assert [round(s.score, 6) for s in found.sides] == [0.85, 0.8415]
    assert (round(bob.best_weight, 6), bob.bonus, bob.sources) == (0.765, 1.1, 2)
    assert [(f.saying.source_name, f.saying.confidence, f.kind_weight, f.authority, f.counts) for f in bob.factors] == [
        ("b", 0.9, 1.0, 0.85, True),
        ("c", 0.8, 1.0, 0.85, True),
    ]
    assert bob.factors[0].saying.excerpt == "Acme has CEO"
    assert ada.fact.citation is not None
    assert ada.fact.citation.source_name == "a"
    assert [r.fact_id for r in ada.fact.rivals] == [bob.fact.fact_id]
    assert (found.severity.corrected, found.severity.sources) == (False, 3)
    assert found.severity.closeness == pytest.approx(0.99, abs=1e-6)
    assert found.severity.value == pytest.approx(0.25 * 0.99 + 0.15 * 2 / 9, abs=1e-6)
    for side in found.sides:
        assert side.score == side.fact.score, "the score taken apart is the one that stands"
        assert side.score == pytest.approx(side.best_weight * side.bonus)


async def test_one_fact_that_is_said_and_denied_is_listed_with_both_sides(world: World) -> None:
    await world.say(claim("Acme", "founded by", "Ada"), source="a")
    await world.say(claim("Acme", "founded by", "Ada", 0.9, denied=True), source="b")
    (found,) = (await contradictions(world)).contradictions
    assert (found.kind, found.open) == (ContradictionKind.DENIAL, True)
    assert [(s.polarity, round(s.score, 6)) for s in found.sides] == [
        (Polarity.SUPPORT, 0.85),
        (Polarity.REFUTE, 0.765),
    ]
    assert {s.fact.fact_id for s in found.sides} == {found.id}
    assert [s.factors[0].saying.source_name for s in found.sides] == ["a", "b"]


async def test_the_most_severe_comes_first_by_pages(world: World) -> None:
    for company, other in (("Acme", 0.99), ("Brik", 0.85), ("Cord", 0.92)):
        await world.say(claim(company, "has CEO", "Ada"), source="a")
        await world.say(claim(company, "has CEO", "Bob", other), source="b")
    whole = await contradictions(world, point=ALL_TIME)
    subjects = [c.sides[0].fact.subject.name for c in whole.contradictions]
    assert (subjects, whole.total) == (["Acme", "Cord", "Brik"], 3)
    paged: list[str] = []
    after = None
    while True:
        page = await contradictions(world, point=ALL_TIME, limit=1, after=after)
        paged += [c.sides[0].fact.subject.name for c in page.contradictions]
        if (after := page.next) is None:
            break
    assert paged == subjects


async def test_a_correction_that_newer_news_doubts_comes_before_the_rest(world: World, correct: Correct) -> None:
    for company in ("Acme", "Doma"):
        await world.say(claim(company, "born on", "1990"), source="a")
    await world.say(claim("Acme", "born on", "1991"), source="b")
    rows = await world.rows(
        "SELECT f.fact_id FROM facts f JOIN entities e ON e.entity_id = f.subject_id WHERE e.name = 'Doma'"
    )
    await correct(world.access, Correction(FactId(rows[0]["fact_id"]), Verdict.CONFIRM, await head(world)))
    news = claim("Doma", "born on", "1992")

    await world.say(replace(news, observed_at=day("2090-01-01")), source="c")
    found = (await contradictions(world)).contradictions
    assert [(c.sides[0].fact.subject.name, c.severity.corrected) for c in found] == [("Doma", True), ("Acme", False)]
    assert names(found[0]) == ["1990", "1992"], "the corrected side first"
    assert found[0].sides[0].corrected


async def test_filters_of_predicate_entity_tier_document_and_one_alone(world: World) -> None:
    for company in ("Acme", "Brik"):
        await world.say(claim(company, "has CEO", "Ada"), source="a")
        await world.say(claim(company, "has CEO", "Bob"), source="b")
    await world.say(claim("Acme", "born on", "1990"), source="a")
    await world.say(claim("Acme", "born on", "1991"), source="low", kind="api")
    await world.say(claim("Acme", "born on", "1991", 0.9), source="b")

    async def subjects(**asked: object) -> list[tuple[str, str]]:
        page = await contradictions(world, **asked)
        return sorted((c.sides[0].fact.subject.name, c.predicate) for c in page.contradictions)

    acme, brik, born = ("Acme", "HAS_CEO"), ("Brik", "HAS_CEO"), ("Acme", "BORN_ON")
    assert await subjects() == [born, acme, brik]
    assert await subjects(predicates=("CEO of",)) == [acme, brik], "the reverse names the same facts"
    assert await subjects(entity=Term(name="brik")) == [brik]
    assert await subjects(entity=Term(name="bob")) == [acme, brik]
    assert await subjects(entity=Term(name="nobody")) == []
    assert await subjects(filter=FactFilter(tiers=(3,))) == [born]
    stream = await world.stream("low", "api")
    assert await subjects(filter=FactFilter(documents=(stream.document_id,))) == [born]
    (one,) = (await contradictions(world, entity=Term(name="brik"))).contradictions
    assert await subjects(about=one.id) == [brik]
    assert await subjects(about=one.sides[1].fact.fact_id) == [brik]
    with pytest.raises(InvalidInput, match="ask for settled ones"):
        await contradictions(world, point=ReadPoint(lifecycles=(Lifecycle.REFUTED,)))
    with pytest.raises(InvalidInput, match="name an entity"):
        await contradictions(world, entity=Term(literal=TextValue("x")))


async def test_a_contradiction_is_read_at_a_moment_and_as_it_was_known(world: World) -> None:
    await world.say(claim("Acme", "has CEO", "Ada", since="2010-01-01", until="2015-01-01"), source="a")
    await world.say(claim("Acme", "has CEO", "Bob", since="2012-01-01", until="2014-01-01"), source="b")
    then = await head(world)
    assert (await contradictions(world)).contradictions == ()
    (past,) = (await contradictions(world, point=ReadPoint(as_of=day("2013-01-01")))).contradictions
    assert (past.valid_from, past.valid_to) == (day("2012-01-01"), day("2014-01-01"))
    (whole,) = (await contradictions(world, point=ALL_TIME)).contradictions
    assert (whole.valid_from, whole.valid_to) == (past.valid_from, past.valid_to)
    source = (await world.rows("SELECT source_id FROM sources WHERE name = 'b'"))[0]["source_id"]
    await world.retract.source(world.access, source, None)
    assert (await contradictions(world, point=ALL_TIME)).contradictions == ()
    (known,) = (await contradictions(world, point=ReadPoint(known_at=then, all_time=True))).contradictions
    assert names(known) == names(whole)


async def test_a_contradiction_says_whether_another_scope_says_something_else_again(world: World) -> None:
    await world.say(claim("Acme", "has CEO", "Ada"), source="a")
    await world.say(claim("Acme", "has CEO", "Bob"), source="b")
    (here,) = (await contradictions(world)).contradictions
    assert not here.between_scopes
    workspace = GroupId(f"w_{secrets.token_hex(16)}")
    both = (workspace, world.access.write_scope)
    async with world.unit_of_work(replace(world.access, read_scopes=both, write_scopes=both)) as tx:
        await tx.directory.add_scope(workspace, "workspace", "sales", world.access.write_scope, None)
    inside = replace(world.access, read_scopes=(workspace, *world.access.read_scopes), write_scope=workspace)
    await world.say(claim("Acme", "has CEO", "Cleo"), source="c", access=inside)
    found = (await listed(reads(world), inside, ContradictionsQuery())).contradictions
    assert [(each.group_id, each.between_scopes) for each in found] == [(world.access.write_scope, True)]
    assert not (await contradictions(world)).contradictions[0].between_scopes, "who reads less sees less"


async def test_what_one_side_has_won_is_listed_when_settled_ones_are_asked_for(world: World) -> None:
    await world.say(claim("Acme", "has CEO", "Ada"), source="a")
    await world.say(claim("Acme", "has CEO", "Bob", kind=CLAIM), source="b")
    await world.say(claim("Acme", "founded by", "Cleo"), source="a")
    await world.say(claim("Acme", "founded by", "Cleo", kind=OPINION, denied=True), source="b")
    assert (await contradictions(world)).contradictions == ()
    found = (await contradictions(world, settled=True)).contradictions
    assert sorted((c.kind.value, c.open, names(c)[0]) for c in found) == [
        ("denial", False, "Cleo"),
        ("rivals", False, "Ada"),
    ]
    assert {c.winner for c in found} == {c.sides[0].fact.fact_id for c in found}


async def test_two_sets_of_documents_are_compared_whatever_else_is_known(world: World) -> None:
    await world.say(claim("Acme", "has CEO", "Ada"), claim("Brik", "has CEO", "Ada"), source="a")
    await world.say(claim("Acme", "has CEO", "Bob", kind=CLAIM), claim("Brik", "has CEO", "Ada"), source="b")
    for source in "cdef":
        await world.say(claim("Acme", "has CEO", "Bob"), source=source)
    first, second, third = [(await world.stream(source)).document_id for source in "abc"]

    async def between(one: DocumentId, other: DocumentId, **more: object) -> list[FoundContradiction]:
        chosen, against = FactFilter(documents=(one,)), DocumentSet((other,))
        return list((await contradictions(world, filter=chosen, against=against, **more)).contradictions)

    (found,) = await between(first, second)
    assert (names(found), found.open, found.assertions) == (["Ada", "Bob"], False, 2)
    assert [side.factors[0].set for side in found.sides] == ["first", "second"]
    assert [round(side.score, 6) for side in found.sides] == [0.85, 0.51]
    assert found.winner == found.sides[0].fact.fact_id, "what they say alone, though others outvote it"
    assert await between(second, third) == [], "the same is said by both"
    assert await between(first, second, predicates=("founded by",)) == []
    with pytest.raises(InvalidInput, match="name a document or a collection"):
        await contradictions(world, against=DocumentSet((second,)))
    with pytest.raises(InvalidInput, match="leave the other filters out"):
        await contradictions(world, filter=FactFilter(documents=(first,), tiers=(1,)), against=DocumentSet((second,)))


async def test_the_listed_severity_is_the_one_of_the_stated_rules(world: World) -> None:
    await world.say(claim("Acme", "has CEO", "Ada"), claim("Brik", "founded by", "Ada"), source="a")
    await world.say(
        claim("Acme", "has CEO", "Bob", 0.9), claim("Brik", "founded by", "Ada", 0.9, denied=True), source="b"
    )
    found = (await contradictions(world)).contradictions
    assert len(found) == 2

    policies = {policy.name: policy for policy in CORE_VOCABULARY}
    for each in found:
        said = [f.saying.testimony() for side in each.sides for f in side.factors]
        (again,) = contradictions_in(said, policies[each.predicate])
        rule = severity(again, said)
        assert (each.severity.corrected, each.severity.sources) == (rule.corrected, rule.sources)
        assert each.severity.value == pytest.approx(rule.value, abs=1e-6)


async def test_the_three_worked_examples_have_their_scores_and_teslas_founders_are_no_contradiction(
    world: World,
) -> None:

    async def say(source: str, trust: float, *said: Claim) -> None:
        stream = await trusted(world, source, trust)
        items = [StreamItem(each, "said", pointer=f"line {n}") for n, each in enumerate(said)]
        await world.append(world.access, stream, items, AssertionState.LIVE)

    await say("sketchy-blog.com", 0.3, claim("Company Y", "has CEO", "Dora", 0.9))
    await say("reuters.com", 1.0, claim("Company Y", "has CEO", "Evan", 0.8, CLAIM))
    for source, who, confidence, kind in (
        ("filing", "Alice", 0.9, ClaimKind.FACT),
        ("paper", "Bob", 0.7, CLAIM),
        ("forum", "Charlie", 0.5, OPINION),
    ):
        await say(source, 1.0, claim("Company X", "has CEO", who, confidence, kind))
    await say("biography", 1.0, claim("Tesla", "founded by", "Elon Musk", 0.95))
    await say("interview", 1.0, claim("Tesla", "founded by", "Martin Eberhard", 0.8, CLAIM))
    found = {c.sides[0].fact.subject.name: c for c in (await contradictions(world, settled=True)).contradictions}
    assert set(found) == {"Company X", "Company Y"}, "two founders are two founders"
    scores = {
        name: [(n, round(s.score, 9)) for n, s in zip(names(c), c.sides, strict=True)] for name, c in found.items()
    }
    assert scores == {
        "Company Y": [("Evan", 0.48), ("Dora", 0.27)],
        "Company X": [("Alice", 0.9), ("Bob", 0.42), ("Charlie", 0.15)],
    }
    assert {name: c.winner == c.sides[0].fact.fact_id for name, c in found.items()} == dict.fromkeys(found, True)
