"""Documents in, receipts that add up, facts with literal evidence out."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.system.ids import TimeOrderedIds
from application.identity.create_scope import CreateScope
from application.ingestion.sources import SourceSpec
from application.ingestion.submission import DocumentSubmission
from domain.errors import Conflict, DocumentUnreadable, Forbidden, InvalidInput, NotFound
from domain.identity.ids import ProposalId
from domain.identity.principal import PrincipalKind, Role
from domain.knowledge.assertion import Claim, Mention
from tests.services.world import World

OPEN = "to_rev = 9223372036854775807"
LABEL = f"""SELECT standing_id FROM standings s JOIN facts f USING (organization_id, fact_id)
            WHERE s.{OPEN} AND f.sentence LIKE '%label%'"""
PROSE = "Northgate was founded in 2009 by Ines Calder. The order service depends on the billing service."
CMDB = {
    "subject": "name",
    "subject_kind": "service",
    "key": "name",
    "properties": [
        {"column": "owner", "predicate": "OWNED_BY", "object": "entity", "object_kind": "team"},
        {"column": "depends_on", "predicate": "DEPENDS_ON", "object": "entity", "object_kind": "service", "split": ";"},
    ],
}


async def sentences(world: World, lifecycle: str = "active") -> set[str]:
    rows = await world.rows(
        f"""SELECT f.sentence FROM standings s JOIN facts f USING (organization_id, fact_id)
            WHERE s.{OPEN} AND s.lifecycle = $1""",
        lifecycle,
    )
    return {r["sentence"] for r in rows}


def adds_up(receipt: object) -> bool:
    r = receipt
    return r.items == r.stored + r.merged + r.queued + r.rejected  # type: ignore[attr-defined]


async def test_a_text_becomes_facts_whose_excerpts_are_literal_at_their_offsets(world: World) -> None:
    receipt = await world.read(PROSE, "about.txt")
    assert receipt.status == "completed"
    assert adds_up(receipt)
    assert receipt.notes["concepts"] == (
        "none: this extractor reads facts only; records, triples or a language model bring concepts"
    )
    assert "Northgate was founded by Ines Calder" in await sentences(world)
    rows = await world.rows(
        """SELECT e.excerpt, substr(v.text, e.start_offset + 1, e.end_offset - e.start_offset) AS found
           FROM evidence e JOIN document_versions v USING (organization_id, version_id)"""
    )
    assert rows
    assert all(r["excerpt"] == r["found"] for r in rows)


async def test_the_same_content_again_is_a_no_op_that_says_so(world: World) -> None:
    await world.read(PROSE, "about.txt")
    before = await world.rows("SELECT revision FROM heads")
    again = await world.read(PROSE, "about.txt")
    assert again.status == "unchanged"
    assert await world.rows("SELECT revision FROM heads") == before


async def test_a_new_version_withdraws_what_the_old_one_said_and_nothing_else(world: World) -> None:
    await world.read(PROSE, "about.txt")
    await world.read("The label service depends on the printer service.", "other.txt")
    untouched = await world.rows(LABEL)
    await world.read("Northgate was founded in 2009 by Ines Calder.", "about.txt")
    active = await sentences(world)
    assert not any("order service" in s for s in active)
    assert any("Ines Calder" in s for s in active)
    assert any("order service" in s for s in await sentences(world, "retracted"))
    assert await world.rows(LABEL) == untouched
    states = await world.rows(f"SELECT status FROM document_states WHERE {OPEN} ORDER BY status")
    assert [r["status"] for r in states] == ["completed", "completed", "replaced"]


async def test_rows_of_a_table_become_facts_and_each_bad_row_is_in_the_receipt(world: World) -> None:
    csv = "name,owner,depends_on\norders,Team Blue,billing;ledger\nbilling,Team Red\nledger,Team Red,\n,,\n\n"
    receipt = await world.read(csv, "cmdb.csv", content_type="text/csv", mapping=CMDB)
    assert (receipt.stored, receipt.rejected) == (4, 2)
    assert adds_up(receipt)
    refused = [(r.place, r.rejection.code) for r in receipt.rejections]
    assert refused == [("row 3", "field_count"), ("row 5", "record_empty")]
    assert (receipt.notes["records"], receipt.notes["blank_lines"]) == (2, 1)
    assert 1 + 2 + 1 + len(refused) == csv.count("\n")  # the header, records, blank lines and rejected rows
    assert {"orders depends on billing", "orders depends on ledger"} <= await sentences(world)


async def test_an_unreadable_or_empty_document_changes_nothing(world: World) -> None:
    with pytest.raises(InvalidInput, match="empty"):
        await world.read(b"", "empty.txt")
    with pytest.raises(DocumentUnreadable):
        await world.read(b"%PDF-1.4 truncated", "broken.pdf", content_type="application/pdf")
    assert await world.rows("SELECT 1 FROM sources") == []
    assert [r["revision"] for r in await world.rows("SELECT revision FROM heads")] == [0]


async def test_a_conversation_is_tier_three_and_waits_as_pending_for_a_member(world: World) -> None:
    chat = {
        "session": "s1",
        "messages": [
            {
                "speaker": "Mai",
                "at": "2026-03-01T09:00:00Z",
                "text": "The order service depends on the billing service.",
            }
        ],
    }
    member = world.acting(PrincipalKind.HUMAN, Role.MEMBER)
    receipt = await world.read(
        json.dumps(chat), "chat.json", source=SourceSpec("chat", "conversation"), access=member,
        content_type="application/vnd.assay.conversation+json",
    )  # fmt: skip
    assert receipt.queued >= 1
    assert receipt.stored == 0
    assert await sentences(world) == set()
    assert await sentences(world, "proposed") != set()
    pending = await world.rows(f"SELECT assertion_id FROM placements WHERE {OPEN} AND state = 'pending'")
    decided = await world.decide.assertions(world.access, [r["assertion_id"] for r in pending], True, "read it", False)
    assert decided.decided == len(pending)
    verified = await world.rows(f"SELECT DISTINCT verification FROM standings WHERE {OPEN} AND lifecycle = 'active'")
    assert [r["verification"] for r in verified] == ["human"]


async def test_what_an_agent_submits_is_a_proposal_until_a_person_approves(world: World) -> None:
    agent = world.acting(PrincipalKind.AGENT, Role.CURATOR)
    receipt = await world.read(PROSE, "found.txt", source=SourceSpec("web", "research"), access=agent)
    assert receipt.status == "proposed"
    assert await world.rows("SELECT text FROM document_versions") == [(None,)]
    assert await world.rows("SELECT 1 FROM chunks") == []
    async with world.unit_of_work(world.access) as tx:
        proposals = await tx.documents.proposals("pending", "document", None, 10)
    with pytest.raises(Forbidden, match="agent"):
        await world.decide.proposal(agent, ProposalId(proposals[0].id), True, None)
    await world.decide.proposal(world.access, ProposalId(proposals[0].id), True, "checked")
    assert receipt.version_id is not None
    finished = await world.ingest(world.access, receipt.version_id)
    assert finished is not None
    assert finished.stored >= 1
    with pytest.raises(Conflict, match="approved already"):
        await world.decide.proposal(world.access, ProposalId(proposals[0].id), False, None)


async def test_reprocessing_with_the_same_recipe_changes_no_fact(world: World) -> None:
    receipt = await world.read(PROSE, "about.txt")
    before = await world.rows("SELECT fact_id, standing_hash FROM standings ORDER BY standing_id")
    assert receipt.document_id is not None
    assert (await world.reprocess.document(world.access, receipt.document_id)).queued == 1
    assert receipt.version_id is not None
    again = await world.ingest(world.access, receipt.version_id)
    assert again is not None
    assert adds_up(again)
    assert await world.rows("SELECT fact_id, standing_hash FROM standings ORDER BY standing_id") == before


async def test_retracting_one_of_two_documents_keeps_the_fact_and_both_takes_it(world: World) -> None:
    first = await world.read(PROSE, "a.txt", source=SourceSpec("a", "upload"))
    second = await world.read(PROSE + " It was read twice.", "b.txt", source=SourceSpec("b", "upload"))
    assert first.document_id is not None
    assert second.document_id is not None
    await world.retract.document(world.access, first.document_id, "wrong upload")
    assert "Northgate was founded by Ines Calder" in await sentences(world)
    await world.retract.document(world.access, second.document_id, None)
    assert await sentences(world) == set()
    assert "Northgate was founded by Ines Calder" in await sentences(world, "retracted")


async def test_a_lower_tier_of_a_source_only_reassesses(world: World) -> None:
    await world.read(PROSE, "a.txt")
    source = (await world.rows("SELECT source_id FROM sources"))[0]["source_id"]
    before = (await world.rows(f"SELECT confidence FROM standings WHERE {OPEN} ORDER BY 1"))[0]["confidence"]
    regraded = await world.regrade(world.access, source, 4, None, "unreliable")
    after = (await world.rows(f"SELECT confidence FROM standings WHERE {OPEN} ORDER BY 1"))[0]["confidence"]
    assert regraded.standings_changed > 0
    assert after < before
    assert await world.rows("SELECT 1 FROM assertions WHERE revision > $1", regraded.revision) == []


async def test_a_missing_artifact_fails_the_version_with_the_reason(world: World) -> None:
    receipt = await world.submit(world.access, DocumentSubmission(PROSE.encode(), SourceSpec("u", "upload"), "a.txt"))
    key = (await world.rows("SELECT object_key FROM artifacts"))[0]["object_key"]
    await world.objects.delete(key)
    assert receipt.version_id is not None
    failed = await world.ingest(world.access, receipt.version_id)
    assert failed is not None
    assert (failed.status, failed.rejections[0].rejection.code) == ("failed", "artifact_missing")


async def test_many_first_documents_of_one_source_at_once_all_land(world: World) -> None:
    submissions = [
        DocumentSubmission(f"{PROSE} Copy {n}.".encode(), SourceSpec("new", "folder"), f"{n % 6}.txt", collection="c")
        for n in range(12)
    ]
    receipts = await asyncio.gather(*(world.submit(world.access, s) for s in submissions))
    assert {r.status for r in receipts} == {"accepted"}
    counts = await world.rows(
        """SELECT (SELECT count(*) FROM sources) AS sources, (SELECT count(*) FROM collections) AS collections,
                  (SELECT count(*) FROM documents) AS documents, (SELECT count(*) FROM document_versions) AS versions"""
    )
    assert [tuple(r) for r in counts] == [(1, 1, 6, 12)]


async def test_a_document_sent_again_before_its_job_ran_is_still_read(world: World) -> None:
    submission = DocumentSubmission(PROSE.encode(), SourceSpec("u", "upload"), "a.txt")
    first = await world.submit(world.access, submission)
    again = await world.submit(world.access, submission)
    assert again.status == "unchanged"
    assert first.version_id is not None
    finished = await world.ingest(world.access, first.version_id)
    assert finished is not None
    assert (finished.id, finished.status) == (first.id, "completed")
    assert finished.stored >= 2


async def test_workspaces_that_share_a_source_of_the_organization_have_documents_and_streams_of_their_own(
    world: World,
) -> None:
    whole = world.access
    finder = PostgresScopeFinder(world.pool)
    for name in ("yard", "dock"):
        await CreateScope(world.unit_of_work, TimeOrderedIds())(whole, name)
    groups = [g for g in await finder.below(whole.organization_id, whole.write_scope) if g != whole.write_scope]
    inside = [replace(whole, read_scopes=(group, whole.write_scope), write_scope=group) for group in groups]
    everywhere = [whole, *inside]
    receipts = [await world.read(PROSE, "notes.txt", access=access) for access in everywhere]
    assert [receipt.status for receipt in receipts] == ["completed"] * 3
    assert len({receipt.document_id for receipt in receipts}) == 3
    claim = Claim(Mention("Northgate"), "located in", Mention("Hull"), 1.0)
    said = [await world.say(claim, access=access) for access in everywhere]
    assert [appended.stored for appended in said] == [1, 1, 1]
    again = [await world.read(PROSE, "notes.txt", access=access) for access in everywhere]
    assert [receipt.status for receipt in again] == ["unchanged"] * 3
    sources = await world.rows("SELECT name FROM sources ORDER BY name")
    assert [row["name"] for row in sources] == ["records", "uploads"]


async def test_a_proposal_of_another_scope_is_decided_there_and_nowhere_else(world: World) -> None:
    whole = world.access
    await CreateScope(world.unit_of_work, TimeOrderedIds())(whole, "yard")
    scopes = await PostgresScopeFinder(world.pool).below(whole.organization_id, whole.write_scope)
    yard = next(group for group in scopes if group != whole.write_scope)
    inside = replace(whole, read_scopes=(yard, whole.write_scope), write_scope=yard)
    agent = replace(inside, principal=world.acting(PrincipalKind.AGENT, Role.CURATOR).principal)
    receipt = await world.read(PROSE, "found.txt", source=SourceSpec("web", "research"), access=agent)
    assert receipt.status == "proposed"
    async with world.unit_of_work(inside) as tx:
        (proposal,) = await tx.documents.proposals("pending", "document", None, 10)
    elsewhere = replace(inside, write_scope=whole.write_scope)
    for approve in (True, False):
        with pytest.raises((InvalidInput, NotFound)):
            await world.decide.proposal(elsewhere, ProposalId(proposal.id), approve, None)
    assert (await world.decide.proposal(inside, ProposalId(proposal.id), True, None)).state == "approved"
