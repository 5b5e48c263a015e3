"""Building one running Assay."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

import asyncpg
import structlog
from pydantic import SecretStr

from adapters.embeddings.caching import RecentVectors
from adapters.postgres.audit_lines import PostgresAuditLines
from adapters.postgres.budgets import PostgresBudgets
from adapters.postgres.idempotency import PostgresIdempotencyKeys
from adapters.postgres.identity_notices import heard_notices
from adapters.postgres.installation import open_checked_pool
from adapters.postgres.memory_engine import PostgresMemoryEngine
from adapters.postgres.operations import PostgresOperations
from adapters.postgres.pool import translated
from adapters.postgres.projection_feed import PostgresProjectionFeed
from adapters.postgres.unit_of_work import PostgresUnitOfWork
from adapters.postgres.usage_meter import PostgresUsageMeter
from adapters.postgres.usage_reports import PostgresUsageReports
from adapters.system.clock import SystemClock
from adapters.system.ids import TimeOrderedIds
from application.audit.recorder import Recorder
from application.audit.trail import AuditTrail
from application.audit.watching import WatchedVerifier
from application.identity.add_principal import AddPrincipal
from application.identity.break_glass import BreakGlass
from application.identity.create_organization import CreateOrganization
from application.identity.create_scope import CreateScope
from application.identity.issue_key import IssueKey
from application.identity.remove_membership import RemoveMembership
from application.identity.revoke_key import RevokeKey
from application.identity.rotate_key import RotateKey
from application.identity.set_membership import SetMembership
from application.identity.switch_principal import SwitchPrincipal
from application.journal.export import ExportJournal
from application.journal.verify import VerifyJournal
from application.models.metering import MeteredLanguageModel
from application.operations.answer_once import AnswerOnce
from application.quotas.admission import Admission
from application.quotas.recent_rates import RecentRates
from application.quotas.set_quotas import SetQuotas
from application.quotas.sign_ins import SignIns
from domain.errors import AssayError
from domain.ports.clock import Clock
from domain.ports.ids import Ids
from domain.ports.object_store import ObjectStore
from domain.ports.unit_of_work import UnitOfWork
from entrypoints.application import Application, AuditUseCases, IdentityUseCases, JournalUseCases, Ports, Probe
from entrypoints.bootstrap import models, stores
from entrypoints.bootstrap.erasure import erasure
from entrypoints.bootstrap.ingestion import fetcher_of, ingestion, intake_of
from entrypoints.bootstrap.knowledge import knowledge
from entrypoints.bootstrap.projection import projection
from entrypoints.bootstrap.quotas import rate_limits
from entrypoints.bootstrap.retrieval import retrieval
from entrypoints.bootstrap.signing_in import SigningIn, signing_in
from entrypoints.bootstrap.upkeep import upkeep
from entrypoints.embedded import start_embedded
from entrypoints.sections.audit import AuditSettings
from entrypoints.services import Services
from entrypoints.settings import Settings, require_complete

log = structlog.get_logger(__name__)


def _logged(step: str) -> None:
    log.info("embedded", step=step)


@asynccontextmanager
async def application(
    settings: Settings, *, progress: Callable[[str], None] = _logged, name: str = "assay", look: bool = True
) -> AsyncIterator[Application]:
    """One running Assay, closed at the end. ``name`` is what the database sees of the process.

    Unless it is told not to ``look``, it tries every service first and logs what does not answer: a graph that is
    slow to load then holds up the start for as long as one of its queries may take.

    Raises SettingsInvalid, Unavailable when the database does not answer, DatabaseOutOfDate when `assay migrate` is
    due. Nothing else is needed: without the graph, cache or object store it starts and says so.
    """
    require_complete(settings)
    services = await start_embedded(settings, progress) if settings.is_embedded else _remote(settings)
    for note in services.notes:
        log.warning("degraded", note=note)
    async with AsyncExitStack() as stack:
        pool = await open_checked_pool(services.database, maximum=settings.database.pool_size, name=name)
        stack.push_async_callback(pool.close)
        who = signing_in(settings, pool, PostgresUnitOfWork(pool), TimeOrderedIds(), stack)
        built = _build(settings, services, pool, who, stack)
        await stack.enter_async_context(built.audit.trail.running())
        if look:
            await _look(built.probes)
            await stack.enter_async_context(heard_notices(services.database, name, who.forget))
        yield built


def _remote(settings: Settings) -> Services:
    graph, cache = settings.graph, settings.cache
    return Services(
        database=_plain(settings.database.url) or "",
        worker_database=_plain(settings.database.worker_url),
        administrator_database=_plain(settings.database.administrator_url),
        graph_engine=graph.engine or "postgres",
        graph_url=graph.url,
        graph_user=graph.user,
        graph_password=_plain(graph.password),
        cache_url=_plain(cache.url) if cache.engine != "memory" else None,
        objects_folder=settings.objects.folder if settings.objects.engine == "files" else None,
        keys_folder=settings.keys.folder or settings.embedded.folder / "keys",
    )


def _plain(secret: SecretStr | None) -> str | None:
    return secret.get_secret_value() if secret else None


def _build(
    settings: Settings, services: Services, pool: asyncpg.Pool, who: SigningIn, stack: AsyncExitStack
) -> Application:
    intake = intake_of(settings)
    unit_of_work = PostgresUnitOfWork(pool, intake.require_no_secret)
    clock, ids = SystemClock(), TimeOrderedIds()
    objects = stores.object_store(settings.objects, services, stack)
    keys = stores.key_store(services)
    unmetered = models.language_model(settings.model, stack)
    meter, budgets = PostgresUsageMeter(pool), PostgresBudgets(pool)
    model = MeteredLanguageModel(unmetered, meter, clock.now) if unmetered else None
    judge = models.judge(settings.judge, model)
    over_the_record = PostgresMemoryEngine(pool)
    cache, recent = stores.cache(settings, services, stack), RecentVectors()
    ports = Ports(
        unit_of_work=unit_of_work,
        vault=stores.artifact_vault(objects, keys, budgets),
        keys=keys,
        embedder=models.embedder(settings.embedding, cache, recent, meter, clock, stack),
        extractor=models.claim_extractor(settings.extraction, settings.model, model, stack),
        language_model=model,
        reranker=models.reranker(settings.reranking, model),
        engine=stores.memory_engine(settings, services, over_the_record, stack),
        record_engine=over_the_record,
        clock=clock,
        ids=ids,
    )
    verifier, limits = WatchedVerifier(who.verifier), rate_limits(services.cache_url, stack)
    resolver, feed = who.resolver, PostgresProjectionFeed(pool)
    ingesting = ingestion(ports, pool, resolver, (intake, fetcher_of(settings)), settings.grounding.copy_likeness)
    return Application(
        settings=settings,
        services=services,
        verifier=verifier,
        sign_ins=SignIns(verifier, limits.limiter, settings.quotas.failed_sign_ins),
        admission=Admission(limits.limiter, RecentRates(budgets, settings.quotas.rates())),
        limits_are_local=limits.local,
        resolve_access=resolver,
        forget_who=who.forget,
        identity=_identity(who, unit_of_work, clock, ids),
        ingestion=ingesting,
        knowledge=knowledge(ports, pool, (resolver, intake), ingesting, (judge, settings.judge.most)),
        journal=JournalUseCases(VerifyJournal(resolver, unit_of_work), ExportJournal(resolver, unit_of_work)),
        audit=_audit(settings.audit, pool, ports),
        erasure=erasure(ports, pool, (objects, cache, recent, services.cache_url), feed, resolver, settings.retention),
        projection=projection(ports, feed, resolver),
        retrieval=retrieval(ports, pool, resolver, intake, settings),
        upkeep=upkeep(ports, pool, feed, resolver, settings.retention, settings.audit.days),
        operations=PostgresOperations(pool, ports.engine.name),
        usage=PostgresUsageReports(pool),
        budgets=budgets,
        set_quotas=SetQuotas(unit_of_work, budgets, settings.quotas.rates()),
        answer_once=AnswerOnce(PostgresIdempotencyKeys(pool), clock),
        ports=ports,
        probes=(*_probes(pool, ports, objects), *limits.probes),
    )


def _identity(who: SigningIn, unit_of_work: UnitOfWork, clock: Clock, ids: Ids) -> IdentityUseCases:
    return IdentityUseCases(
        create_organization=CreateOrganization(unit_of_work, ids),
        create_scope=CreateScope(unit_of_work, ids),
        add_principal=AddPrincipal(unit_of_work, ids),
        set_membership=SetMembership(unit_of_work),
        remove_membership=RemoveMembership(unit_of_work),
        switch_principal=SwitchPrincipal(unit_of_work),
        issue_key=IssueKey(unit_of_work, clock, ids),
        rotate_key=RotateKey(unit_of_work, clock, ids),
        revoke_key=RevokeKey(unit_of_work),
        browser_sign_in=who.browser_sign_in,
        break_glass=BreakGlass(who.subjects, unit_of_work, who.resolver, clock, ids),
        subjects=who.subjects,
    )


def _audit(settings: AuditSettings, pool: asyncpg.Pool, ports: Ports) -> AuditUseCases:
    trail, window = AuditTrail(PostgresAuditLines(pool)), timedelta(minutes=settings.sign_in_minutes)
    return AuditUseCases(trail, Recorder(trail, ports.ids, ports.clock, window=window, reads=settings.reads))


def _probes(pool: asyncpg.Pool, ports: Ports, objects: ObjectStore) -> tuple[Probe, ...]:
    async def database() -> None:
        with translated():
            await pool.fetchval("SELECT 1", timeout=5)

    async def object_store() -> None:
        await objects.exists("readiness")

    async def graph() -> None:
        await ports.engine.ping()

    return (
        Probe("database", True, database),
        Probe("objects", False, object_store, "documents cannot be submitted or opened"),
        Probe("graph", False, graph, "traversal is answered from the record, or not at all"),
    )


async def _look(probes: tuple[Probe, ...]) -> None:
    for probe in probes:
        try:
            await probe.check()
        except AssayError as error:
            log.warning("degraded", service=probe.name, reason=error.message, without=probe.without)
