"""The write path: submissions, extraction, statements, decisions."""

from __future__ import annotations

import asyncpg

from adapters.extraction.document_router import LanguageModelDocumentRouter
from adapters.fetching.fetcher import FetchLimits, HttpFetcher
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from adapters.sketching.minhash import MinHashSketcher
from application.identity.access import AccessResolver
from application.ingestion.append_claims import AppendClaims
from application.ingestion.assert_facts import AssertFacts
from application.ingestion.configure_collection import ConfigureCollection
from application.ingestion.decide_proposals import Approvals, DecideProposals
from application.ingestion.fetch_document import FetchDocument
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
from application.ingestion.streams import Streams
from application.ingestion.submit_document import SubmitDocument
from application.ingestion.treat_sensitive import TreatSensitive
from application.ingestion.write_version import WriteVersion
from application.knowledge.change import ChangeWriter
from application.knowledge.change_vocabulary import ChangeVocabulary
from application.knowledge.correct import CorrectionWriter
from application.knowledge.edit_entity import EditEntity
from application.knowledge.give_feedback import GiveFeedback
from application.knowledge.promote import Originals, PromotionWriter
from domain.ingestion.copies import COPY_LIKENESS
from domain.ports.fetcher import Fetcher
from entrypoints.application import IngestionUseCases, Ports
from entrypoints.bootstrap.on_demand import FinderOnDemand, ParserOnDemand
from entrypoints.json_text import from_json
from entrypoints.settings import Settings


def intake_of(settings: Settings) -> Intake:
    """The one door for what comes in."""
    sensitive = settings.sensitive
    return Intake(ParserOnDemand(settings.limits.upload_bytes), FinderOnDemand(sensitive.regions), sensitive.policy())


def fetcher_of(settings: Settings) -> Fetcher:
    """What pages are fetched by."""
    wish = settings.fetch
    limits = FetchLimits(min(wish.bytes, settings.limits.upload_bytes), wish.seconds, wish.redirects)
    return HttpFetcher(wish.hosts, limits)


def ingestion(
    ports: Ports,
    pool: asyncpg.Pool,
    resolver: AccessResolver,
    doors: tuple[Intake, Fetcher],
    copy_likeness: float = COPY_LIKENESS,
) -> IngestionUseCases:
    """Every use case that writes knowledge."""
    intake, fetcher = doors
    unit_of_work, ids, keys = ports.unit_of_work, ports.ids, ports.keys
    writer = ChangeWriter(ids, intake)
    recipes = Recipes(ports.extractor)
    router = LanguageModelDocumentRouter(ports.language_model) if ports.language_model else None
    streams = Streams(unit_of_work, ports.vault, ports.clock, ids)
    originals = Originals(unit_of_work, PostgresKnowledgeReader(pool), resolver)
    append = AppendClaims(unit_of_work, keys, writer, ports.clock, ids)
    submit = SubmitDocument(unit_of_work, ports.vault, intake, recipes, ports.clock, ids)
    return IngestionUseCases(
        submit_document=submit,
        ingest_version=IngestVersion(
            unit_of_work,
            ReadVersion(unit_of_work, ports.vault, intake, recipes, ids),
            router,
            recipes.extractor,
            WriteVersion(
                unit_of_work, writer, keys, ids, CopyFinder(unit_of_work, MinHashSketcher(), ids, copy_likeness)
            ),
            ids,
        ),
        import_triples=ImportTriples(unit_of_work, streams, append, intake, ids, from_json),
        assert_facts=AssertFacts(unit_of_work, streams, append, intake),
        remember=Remember(submit),
        retract=Retract(unit_of_work, writer, keys),
        decide_proposals=DecideProposals(
            unit_of_work,
            writer,
            keys,
            Approvals(
                CorrectionWriter(unit_of_work, streams, writer, keys, ports.clock, ids),
                ChangeVocabulary(resolver, unit_of_work, keys, ids),
                EditEntity(unit_of_work, streams, writer, keys, ports.clock, ids),
                PromotionWriter(unit_of_work, streams, writer, keys, originals, ports.clock, ids),
            ),
        ),
        reprocess=Reprocess(unit_of_work, ids),
        regrade_source=RegradeSource(unit_of_work, writer, keys),
        give_feedback=GiveFeedback(unit_of_work, intake),
        fetch_document=FetchDocument(fetcher, submit),
        treat_sensitive=TreatSensitive(unit_of_work, intake),
        configure_collection=ConfigureCollection(unit_of_work, ids, intake),
    )
