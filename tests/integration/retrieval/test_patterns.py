"""The six triple patterns on PostgreSQL, as the application role."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest

from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from domain.errors import InvalidInput
from domain.identity.access import Access
from domain.identity.ids import DocumentId, EntityId, Revision
from domain.knowledge.assertion import ClaimKind
from domain.retrieval.facts import StandingFact
from domain.retrieval.reading import Cursor, FactFilter, PatternRead, ReadPoint, Side, StoredPattern
from domain.standing.testimony import Lifecycle
from tests.services.small_record import SmallRecord

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def pattern(subject: str | None, predicate: str | None, object: str | None) -> StoredPattern:
    return StoredPattern(
        Side(names=(subject,)) if subject else None,
        Side(names=(object,)) if object else None,
        (predicate,) if predicate else None,
    )


def sentences(found: list[StandingFact]) -> list[str]:
    return sorted(fact.sentence or "" for fact in found)


async def ask(reader: PostgresKnowledgeReader, access: Access, *triple: str | None, **rest: object) -> list[str]:
    read = PatternRead(pattern(*triple), **rest)  # type: ignore[arg-type]
    return sentences(await reader.facts_by_pattern(access, read))


async def test_each_of_the_six_patterns_finds_its_facts(record: SmallRecord, reader: PostgresKnowledgeReader) -> None:
    await record.fact("Acme", "OWNS", "Brik")
    await record.fact("Acme", "OWNS", "Clay")
    await record.fact("Acme", "BUILT", "Brik")
    await record.fact("Dane", "OWNS", "Brik")
    access = record.access()
    assert await ask(reader, access, "acme", "OWNS", None) == ["Acme owns Brik", "Acme owns Clay"]
    assert await ask(reader, access, "Acme", None, "Brik") == ["Acme built Brik", "Acme owns Brik"]
    assert await ask(reader, access, None, "OWNS", "Brik") == ["Acme owns Brik", "Dane owns Brik"]
    assert await ask(reader, access, "Acme", None, None) == ["Acme built Brik", "Acme owns Brik", "Acme owns Clay"]
    assert await ask(reader, access, None, "OWNS", None) == ["Acme owns Brik", "Acme owns Clay", "Dane owns Brik"]
    assert await ask(reader, access, None, None, "Clay") == ["Acme owns Clay"]
    assert await ask(reader, access, "Acme", "OWNS", "Clay") == ["Acme owns Clay"]


async def test_a_backward_predicate_is_read_with_its_sides_exchanged(
    record: SmallRecord, reader: PostgresKnowledgeReader
) -> None:
    await record.fact("Acme", "OWNS", "Brik")
    await record.fact("Ann", "MARRIED_TO", "Bo")
    access = record.access()
    owned_by = StoredPattern(subject=Side(names=("Brik",)), forward=(), backward=("OWNS",))
    assert sentences(await reader.facts_by_pattern(access, PatternRead(owned_by))) == ["Acme owns Brik"]
    symmetric = StoredPattern(subject=Side(names=("bo",)), forward=("MARRIED_TO",), backward=("MARRIED_TO",))
    assert sentences(await reader.facts_by_pattern(access, PatternRead(symmetric))) == ["Ann married to Bo"]


async def test_unknown_and_foreign_ids_find_nothing(record: SmallRecord, reader: PostgresKnowledgeReader) -> None:
    other = await SmallRecord(record.connection, "other").start()
    await other.fact("Secret", "OWNS", "Plan")
    foreign = await other.entity("Secret")
    access = record.access()
    assert await ask(reader, access, "Secret", None, None) == []
    for unknown in (foreign, EntityId(UUID(int=7))):
        found = await reader.facts_by_pattern(access, PatternRead(StoredPattern(Side(ids=(unknown,)))))
        assert found == []


async def test_either_name_of_an_alias_finds_the_facts_of_both(
    record: SmallRecord, reader: PostgresKnowledgeReader
) -> None:
    await record.fact("Meta", "OWNS", "Oculus")
    await record.fact("Facebook", "FOUNDED_BY", "Mark")
    await record.fact("Facebook", "ALIAS_OF", "Meta")
    await record.entity("Acme", aliases=["Acme Corp"])
    await record.fact("Acme", "OWNS", "Brik")
    both = ["Facebook alias of Meta", "Facebook founded by Mark", "Meta owns Oculus"]
    access = record.access()
    assert await ask(reader, access, "Meta", None, None) == both
    assert await ask(reader, access, "FACEBOOK", None, None) == both
    assert await ask(reader, access, "acme  corp", None, None) == ["Acme owns Brik"]


async def test_a_name_typed_without_accents_finds_its_entity(
    record: SmallRecord, reader: PostgresKnowledgeReader
) -> None:
    await record.fact("Đà Nẵng", "HAS_PORT", "Tiên Sa")
    assert await ask(reader, record.access(), "da nang", None, None) == ["Đà Nẵng has port Tiên Sa"]


async def test_valid_time_lifecycle_and_revision_decide_what_is_read(
    record: SmallRecord, reader: PostgresKnowledgeReader
) -> None:
    move = datetime(2024, 1, 1, tzinfo=UTC)
    await record.fact("Acme", "SEAT", "Bonn", valid_to=move)
    berlin = await record.fact("Acme", "SEAT", "Berlin", valid_from=move)
    await record.fact("Acme", "SEAT", "Rome", lifecycle="superseded")
    access = record.access()
    assert await ask(reader, access, "Acme", "SEAT", None) == ["Acme seat Berlin"]
    before = ReadPoint(as_of=datetime(2020, 1, 1, tzinfo=UTC))
    assert await ask(reader, access, "Acme", "SEAT", None, point=before) == ["Acme seat Bonn"]
    assert await ask(reader, access, "Acme", None, None, point=ReadPoint(all_time=True)) == [
        "Acme seat Berlin", "Acme seat Bonn",
    ]  # fmt: skip
    superseded = ReadPoint(lifecycles=(Lifecycle.SUPERSEDED,))
    assert await ask(reader, access, "Acme", "SEAT", None, point=superseded) == ["Acme seat Rome"]
    await record.close(berlin, 5)
    assert await ask(reader, access, "Acme", "SEAT", None) == []
    assert await ask(reader, access, "Acme", "SEAT", None, point=ReadPoint(known_at=Revision(4))) == [
        "Acme seat Berlin"
    ]
    assert await ask(reader, access, "Acme", "SEAT", None, point=ReadPoint(known_at=Revision(0))) == []


async def test_a_filter_is_met_by_one_assertion_as_a_whole(
    record: SmallRecord, reader: PostgresKnowledgeReader
) -> None:
    policy = await record.document("policy", collection="policies")
    await record.fact("Acme", "OWNS", "Brik", document=policy, asserter="Ann", tier=1)
    await record.fact("Acme", "OWNS", "Brik", kind="claim", tier=3)
    await record.fact("Acme", "OWNS", "Clay", kind="opinion")
    access = record.access()
    for chosen in (
        FactFilter(kinds=(ClaimKind.FACT,)),
        FactFilter(asserter="ann"),
        FactFilter(tiers=(1,)),
        FactFilter(collections=("policies",)),
        FactFilter(documents=(DocumentId(policy),)),
        FactFilter(kinds=(ClaimKind.CLAIM,), tiers=(3,)),
    ):
        assert await ask(reader, access, "Acme", "OWNS", None, filter=chosen) == ["Acme owns Brik"]
    split = FactFilter(kinds=(ClaimKind.CLAIM,), tiers=(1,))
    assert await ask(reader, access, "Acme", "OWNS", None, filter=split) == []


async def test_corrections_come_first_and_pages_meet_without_gap_or_overlap(
    record: SmallRecord, reader: PostgresKnowledgeReader
) -> None:
    for number in range(12):
        await record.fact("Acme", "OWNS", f"Part {number}", corrected=number in (3, 8))
    access = record.access()
    for shape in (pattern("Acme", "OWNS", None), pattern(None, "OWNS", None), pattern("Acme", None, None)):
        whole = await reader.facts_by_pattern(access, PatternRead(shape))
        assert [fact.corrected for fact in whole] == [True] * 2 + [False] * 10
        paged: list[StandingFact] = []
        after = None
        while page := await reader.facts_by_pattern(access, PatternRead(shape, limit=5, after=after)):
            paged += page
            after = Cursor(page[-1].corrected, page[-1].fact_id, page[-1].valid_from)
        assert paged == whole


async def test_a_hit_carries_its_evidence_and_its_paragraph(
    record: SmallRecord, reader: PostgresKnowledgeReader
) -> None:
    text = "Intro.\n\nAcme owns Brik since May. It is small.\n\nEnd."
    document = await record.document("deal", text)
    chunk = await record.chunk(document, text)
    await record.fact(
        "Acme", "OWNS", "Brik", document=document, excerpt="Acme owns Brik", start=8, chunk=chunk, asserter="Bo"
    )
    (fact,) = await reader.facts_by_pattern(record.access(), PatternRead(pattern("Acme", "OWNS", None)))
    assert (fact.subject.name, fact.object.name) == ("Acme", "Brik")  # type: ignore[union-attr]
    citation = fact.citation
    assert citation is not None
    assert (citation.excerpt, citation.start, citation.end) == ("Acme owns Brik", 8, 22)
    assert text[citation.start : citation.end] == citation.excerpt
    assert citation.paragraph == "Acme owns Brik since May. It is small."
    assert (citation.title, citation.uri, citation.asserter) == ("deal", "file:///deal", "Bo")
    assert (citation.source_name, citation.tier, citation.document_id) == ("tier 2", 2, document)


async def test_a_disputed_fact_shows_the_other_side(record: SmallRecord, reader: PostgresKnowledgeReader) -> None:
    await record.fact("Acme", "SEAT", "Bonn", lifecycle="disputed", slot="seat")
    await record.fact("Acme", "SEAT", "Rome", lifecycle="disputed", slot="seat", confidence=0.8)
    await record.fact("Acme", "SEAT", "Oslo", lifecycle="superseded", slot="seat")
    found = await reader.facts_by_pattern(record.access(), PatternRead(pattern("Acme", None, "Bonn")))
    assert [(rival.sentence, rival.confidence, rival.differs_by_scope) for rival in found[0].rivals] == [
        ("Acme seat Rome", 0.8, False)
    ]


async def test_of_many_rivals_the_weightiest_are_shown_and_equals_by_id(
    record: SmallRecord, reader: PostgresKnowledgeReader
) -> None:
    await record.fact("Acme", "SEAT", "Bonn", lifecycle="disputed", slot="seat")
    weights = {f"Town {n}": (0.9 if n % 2 else 0.3) for n in range(30)}
    made = {
        name: await record.fact("Acme", "SEAT", name, lifecycle="disputed", slot="seat", confidence=weight)
        for name, weight in weights.items()
    }
    await record.connection.execute("UPDATE standings SET to_rev = 7 WHERE fact_id = ANY ($1)", list(made.values())[:2])
    best = sorted(list(made)[2:], key=lambda name: (-weights[name], made[name]))[:20]
    shape, then = pattern("Acme", None, "Bonn"), ReadPoint(known_at=Revision(7))
    for point in (ReadPoint(), then):
        (found,) = await reader.facts_by_pattern(record.access(), PatternRead(shape, point))
        assert [rival.fact_id for rival in found.rivals] == sorted(made[name] for name in best)


async def test_of_a_fact_in_two_scopes_the_narrower_speaks_and_what_differs_is_marked(
    record: SmallRecord, reader: PostgresKnowledgeReader
) -> None:
    await record.fact("Acme", "OWNS", "Brik", scope="whole")
    narrow = await record.fact("Acme", "OWNS", "Brik", scope="work")
    await record.fact("Acme", "SEAT", "Bonn", scope="whole", slot="seat")
    await record.fact("Acme", "SEAT", "Rome", scope="work", slot="seat")
    both = await reader.facts_by_pattern(record.access(), PatternRead(pattern("Acme", None, None)))
    assert [fact.fact_id for fact in both if fact.predicate == "OWNS"] == [narrow]
    told = {fact.sentence: [r.sentence for r in fact.rivals if r.differs_by_scope] for fact in both}
    assert told == {"Acme owns Brik": [], "Acme seat Bonn": ["Acme seat Rome"], "Acme seat Rome": ["Acme seat Bonn"]}
    alone = await reader.facts_by_pattern(record.access("whole"), PatternRead(pattern("Acme", None, None)))
    assert sentences(alone) == ["Acme owns Brik", "Acme seat Bonn"]
    assert not any(fact.differs_by_scope for fact in alone)


async def test_load_keeps_the_order_asked_and_leaves_out_the_unknown(
    record: SmallRecord, reader: PostgresKnowledgeReader
) -> None:
    first = record.standing(await record.fact("Acme", "OWNS", "Brik"))
    second = record.standing(await record.fact("Acme", "OWNS", "Clay"))
    loaded = await reader.load(record.access(), [second, UUID(int=1), first], ReadPoint())  # type: ignore[list-item]
    assert [fact.standing_id for fact in loaded] == [second, first]


def test_a_pattern_with_three_open_sides_is_refused() -> None:
    with pytest.raises(InvalidInput, match="all three open"):
        StoredPattern()
