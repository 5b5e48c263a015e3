"""An organization to work in, on the test's own database, with real adapters and keys in memory."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from adapters.extraction.offline.extractor import OfflineExtractor
from adapters.inmemory.key_store import InMemoryKeyStore
from adapters.inmemory.object_store import InMemoryObjectStore
from adapters.parsing.registry import ContentParsers
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.postgres.scope_finder import PostgresScopeFinder
from adapters.postgres.unit_of_work import PostgresUnitOfWork
from adapters.screening.sensitive_finder import PatternSensitiveFinder
from adapters.sketching.minhash import MinHashSketcher
from adapters.system.artifact_cipher import AesGcmArtifactCipher
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from application.identity.access import AccessResolver
from application.ingestion.append_claims import AppendClaims, Appended, StreamItem
from application.ingestion.artifact_vault import ArtifactVault
from application.ingestion.assert_facts import AssertFacts
from application.ingestion.decide_proposals import Approvals, DecideProposals
from application.ingestion.find_copies import CopyFinder
from application.ingestion.import_triples import ImportTriples
from application.ingestion.ingest_version import IngestVersion
from application.ingestion.intake import Intake
from application.ingestion.read_version import ReadVersion
from application.ingestion.recipes import Recipes
from application.ingestion.regrade_source import RegradeSource
from application.ingestion.remember import Remember
from application.ingestion.reprocess import Reprocess
from application.ingestion.retract import Retract
from application.ingestion.sources import SourceSpec
from application.ingestion.streams import Stream, Streams
from application.ingestion.submission import DocumentSubmission
from application.ingestion.submit_document import SubmitDocument
from application.ingestion.write_version import WriteVersion
from application.knowledge.change import ChangeWriter
from application.knowledge.change_vocabulary import ChangeVocabulary
from application.knowledge.correct import CorrectionWriter
from application.knowledge.decide_contradiction import DecideContradiction
from application.knowledge.edit_entity import EditEntity
from application.knowledge.promote import Originals, PromotionWriter
from domain.identity.access import Access
from domain.identity.ids import GroupId, OrganizationId, PrincipalId
from domain.identity.principal import Principal, PrincipalKind, Role
from domain.knowledge.assertion import AssertionState, Claim
from domain.ports.documents import Receipt

EXTRACTOR = OfflineExtractor(workers=0)
"""One for the session: its pipeline takes half a second to load."""


@dataclass
class World:
    """What a test of the write path needs."""

    pool: asyncpg.Pool
    unit_of_work: PostgresUnitOfWork
    access: Access
    keys: InMemoryKeyStore
    objects: InMemoryObjectStore
    streams: Streams
    append: AppendClaims
    submit: SubmitDocument
    ingest: IngestVersion
    triples: ImportTriples
    assert_facts: AssertFacts
    remember: Remember
    retract: Retract
    decide: DecideProposals
    reprocess: Reprocess
    regrade: RegradeSource
    contradictions: DecideContradiction
    intake: Intake

    async def read(
        self,
        data: bytes | str,
        record_key: str,
        *,
        source: SourceSpec | None = None,
        access: Access | None = None,
        **known: Any,
    ) -> Receipt:
        """Submit a document and do its job, as the worker would; the receipt as it stands then."""
        who = access or self.access
        content = data.encode() if isinstance(data, str) else data
        spec = source or SourceSpec("uploads", "upload")
        receipt = await self.submit(who, DocumentSubmission(content, spec, record_key, **known))
        if receipt.version_id is not None:
            await self.ingest(who, receipt.version_id)
        async with self.unit_of_work(who) as tx:
            return await tx.documents.receipt(receipt.id) or receipt

    def acting(self, kind: PrincipalKind, role: Role) -> Access:
        """The world's owner in another kind and role."""
        return replace(self.access, principal=replace(self.access.principal, kind=kind, role=role))

    async def stream(self, name: str = "records", kind: str = "record_export", access: Access | None = None) -> Stream:
        """A stream of a source of that name."""
        return await self.streams.open(access or self.access, SourceSpec(name, kind), "stream", "typed")

    async def say(
        self,
        *claims: Claim,
        source: str = "records",
        kind: str = "record_export",
        state: AssertionState = AssertionState.LIVE,
        access: Access | None = None,
    ) -> Appended:
        """Append claims to the stream of a source."""
        stream = await self.stream(source, kind, access)
        items = [StreamItem(c, f"{c.subject.surface} {c.predicate}", pointer="line") for c in claims]
        return await self.append(access or self.access, stream, items, state)

    async def rows(self, query: str, *arguments: object) -> list[asyncpg.Record]:
        """Rows as the application role sees them in the world's scopes."""
        async with self.pool.acquire() as connection, connection.transaction():
            await connection.execute(
                "SELECT enter_tenant($1, $2)", self.access.organization_id, ",".join(self.access.read_scopes)
            )
            return list(await connection.fetch(query, *arguments))


async def new_world(pool: asyncpg.Pool, role: Role = Role.OWNER) -> World:
    """Make an organization with its owner."""
    organization = OrganizationId(uuid4())
    root = GroupId(f"o_{secrets.token_hex(16)}")
    principal = Principal(PrincipalId(uuid4()), organization, PrincipalKind.HUMAN, role, "test", "Tester")
    access = Access(principal, (root,), root)
    unit_of_work, ids, clock = PostgresUnitOfWork(pool), TimeOrderedIds(), SystemClock()
    async with unit_of_work(access) as tx:
        await tx.directory.add_organization(organization, "Test organization", root)
        await tx.directory.add_principal(principal.id, principal.kind, principal.name)
    keys, objects = InMemoryKeyStore(), InMemoryObjectStore()
    vault = ArtifactVault(objects, keys, AesGcmArtifactCipher())
    intake = Intake(ContentParsers(10_000_000), PatternSensitiveFinder())
    writer, recipes = ChangeWriter(ids, intake), Recipes(EXTRACTOR)
    streams = Streams(unit_of_work, vault, clock, ids)
    append = AppendClaims(unit_of_work, keys, writer, clock, ids)
    submit = SubmitDocument(unit_of_work, vault, intake, recipes, clock, ids)
    corrections = CorrectionWriter(unit_of_work, streams, writer, keys, clock, ids)
    edits = EditEntity(unit_of_work, streams, writer, keys, clock, ids)
    resolver = AccessResolver(PostgresScopeFinder(pool))
    vocabulary = ChangeVocabulary(resolver, unit_of_work, keys, ids)
    originals = Originals(unit_of_work, PostgresKnowledgeReader(pool), resolver)
    promotions = PromotionWriter(unit_of_work, streams, writer, keys, originals, clock, ids)
    return World(
        pool=pool,
        unit_of_work=unit_of_work,
        access=access,
        keys=keys,
        objects=objects,
        streams=streams,
        append=append,
        submit=submit,
        ingest=IngestVersion(
            unit_of_work,
            ReadVersion(unit_of_work, vault, intake, recipes, ids),
            None,
            EXTRACTOR,
            WriteVersion(unit_of_work, writer, keys, ids, CopyFinder(unit_of_work, MinHashSketcher(), ids)),
            ids,
        ),
        triples=ImportTriples(unit_of_work, streams, append, intake, ids),
        assert_facts=AssertFacts(unit_of_work, streams, append, intake),
        remember=Remember(submit),
        retract=Retract(unit_of_work, writer, keys),
        decide=DecideProposals(unit_of_work, writer, keys, Approvals(corrections, vocabulary, edits, promotions)),
        contradictions=DecideContradiction(unit_of_work, corrections, resolver, clock, ids),
        reprocess=Reprocess(unit_of_work, ids),
        regrade=RegradeSource(unit_of_work, writer, keys),
        intake=intake,
    )


@pytest.fixture
async def world(pool: asyncpg.Pool) -> World:
    """An organization of the test's own."""
    return await new_world(pool)
