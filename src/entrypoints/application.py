"""What the entry points have in hand: use cases, queries, and the few services that they read from directly."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from application.audit.recorder import Recorder
from application.audit.trail import AuditTrail
from application.erasure.complete import CompleteErasure
from application.erasure.erase import Erase
from application.erasure.holds import LegalHolds
from application.erasure.naming import PlanErasure
from application.identity.access import AccessResolver
from application.identity.add_principal import AddPrincipal
from application.identity.break_glass import BreakGlass
from application.identity.browser_sign_in import BrowserSignIn
from application.identity.create_organization import CreateOrganization
from application.identity.create_scope import CreateScope
from application.identity.issue_key import IssueKey
from application.identity.remove_membership import RemoveMembership
from application.identity.revoke_key import RevokeKey
from application.identity.rotate_key import RotateKey
from application.identity.set_membership import SetMembership
from application.identity.switch_principal import SwitchPrincipal
from application.ingestion.artifact_vault import ArtifactVault
from application.ingestion.assert_facts import AssertFacts
from application.ingestion.configure_collection import ConfigureCollection
from application.ingestion.decide_proposals import DecideProposals
from application.ingestion.fetch_document import FetchDocument
from application.ingestion.import_triples import ImportTriples
from application.ingestion.ingest_version import IngestVersion
from application.ingestion.regrade_source import RegradeSource
from application.ingestion.remember import Remember
from application.ingestion.reprocess import Reprocess
from application.ingestion.retract import Retract
from application.ingestion.submit_document import SubmitDocument
from application.ingestion.treat_sensitive import TreatSensitive
from application.journal.export import ExportJournal
from application.journal.verify import VerifyJournal
from application.knowledge.change_vocabulary import ChangeVocabulary
from application.knowledge.correct import Correct
from application.knowledge.decide_contradiction import DecideContradiction
from application.knowledge.edit_entity import EditEntity
from application.knowledge.give_feedback import GiveFeedback
from application.knowledge.judge_replacements import JudgeReplacements
from application.knowledge.propose_correction import ProposeCorrection
from application.knowledge.propose_entity_edit import ProposeEntityEdit
from application.knowledge.propose_promotion import ProposePromotion
from application.knowledge.suggest_merges import SuggestMerges
from application.knowledge.undo import Undo
from application.models.metering import ConfiguredEmbedder
from application.operations.answer_once import AnswerOnce
from application.projection.project import ProjectFacts
from application.projection.rebuild import RebuildGraph
from application.projection.verify import VerifyGraph
from application.quotas.admission import Admission
from application.quotas.set_quotas import SetQuotas
from application.quotas.sign_ins import SignIns
from application.retrieval.concepts import ConceptReads
from application.retrieval.contradictions import ContradictionReads
from application.retrieval.packs import Packs
from application.retrieval.queries import FactReads
from application.retrieval.read_points import ReadPoints
from application.retrieval.search import Search
from application.retrieval.snapshots import Snapshots
from application.retrieval.traversal import GraphReads
from domain.identity.ids import OrganizationId
from domain.ports.budgets import Budgets
from domain.ports.claim_extractor import ClaimExtractor
from domain.ports.clock import Clock
from domain.ports.erasure import Signer
from domain.ports.ids import Ids
from domain.ports.key_store import KeyStore
from domain.ports.language_model import LanguageModel
from domain.ports.memory_engine import MemoryEngine
from domain.ports.operations import Operations
from domain.ports.projection_feed import ProjectionFeed
from domain.ports.reranker import Reranker
from domain.ports.search_index import SearchIndex
from domain.ports.subjects import Subjects
from domain.ports.token_verifier import TokenVerifier
from domain.ports.unit_of_work import UnitOfWork
from domain.ports.usage import UsageReports
from entrypoints.services import Services
from entrypoints.settings import Settings
from entrypoints.upkeep import Upkeep


@dataclass(frozen=True, slots=True)
class IdentityUseCases:
    """Organizations, scopes, people and keys."""

    create_organization: CreateOrganization
    create_scope: CreateScope
    add_principal: AddPrincipal
    set_membership: SetMembership
    remove_membership: RemoveMembership
    switch_principal: SwitchPrincipal
    issue_key: IssueKey
    rotate_key: RotateKey
    revoke_key: RevokeKey
    browser_sign_in: BrowserSignIn
    break_glass: BreakGlass
    subjects: Subjects


@dataclass(frozen=True, slots=True)
class IngestionUseCases:
    """Everything that writes knowledge. ``ingest_version`` is the worker's."""

    submit_document: SubmitDocument
    ingest_version: IngestVersion
    import_triples: ImportTriples
    assert_facts: AssertFacts
    remember: Remember
    retract: Retract
    decide_proposals: DecideProposals
    reprocess: Reprocess
    regrade_source: RegradeSource
    configure_collection: ConfigureCollection
    give_feedback: GiveFeedback
    fetch_document: FetchDocument
    treat_sensitive: TreatSensitive


@dataclass(frozen=True, slots=True)
class KnowledgeUseCases:
    """What people change of what is known: facts, predicates, and mutations that are put back."""

    correct: Correct
    propose_correction: ProposeCorrection
    propose_promotion: ProposePromotion
    edit_entity: EditEntity
    propose_entity_edit: ProposeEntityEdit
    decide_contradiction: DecideContradiction
    judge_replacements: JudgeReplacements
    change_vocabulary: ChangeVocabulary
    suggest_merges: SuggestMerges
    undo: Undo


@dataclass(frozen=True, slots=True)
class JournalUseCases:
    """Whether the journal is whole, and taking it along."""

    verify: VerifyJournal
    export: ExportJournal


@dataclass(frozen=True, slots=True)
class AuditUseCases:
    """What the doors enter lines by. The trail runs as long as the application."""

    trail: AuditTrail
    recorder: Recorder


@dataclass(frozen=True, slots=True)
class ErasureUseCases:
    """Taking content out for good, and what must not be. ``complete`` is the worker's."""

    erase: Erase
    plan: PlanErasure
    complete: CompleteErasure
    holds: LegalHolds
    signer: Signer


@dataclass(frozen=True, slots=True)
class ProjectionUseCases:
    """The graph's upkeep. ``feed`` is for ``graph_status(resolve_access, feed, ports.engine, access)``."""

    project_facts: ProjectFacts
    rebuild_graph: RebuildGraph
    verify_graph: VerifyGraph
    feed: ProjectionFeed


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Reads: ``search(access, request)``, and what the functions of queries.py and traversal.py take first."""

    search: Search
    facts: FactReads
    contradictions: ContradictionReads
    concepts: ConceptReads
    graph: GraphReads
    read_points: ReadPoints
    snapshots: Snapshots
    packs: Packs
    index: SearchIndex
    embedder: ConfiguredEmbedder


@dataclass(frozen=True, slots=True)
class Probe:
    """A look at one service. Assay works without one that is not ``needed``, and says what is degraded."""

    name: str
    needed: bool
    check: Callable[[], Awaitable[None]]
    without: str = ""


@dataclass(frozen=True, slots=True)
class Ports:
    """The services behind the use cases, for a worker that builds its own handlers from them.

    ``record_engine`` walks the record itself: it answers when ``engine`` is down, or cannot read history.
    """

    unit_of_work: UnitOfWork
    vault: ArtifactVault
    keys: KeyStore
    embedder: ConfiguredEmbedder
    extractor: ClaimExtractor
    language_model: LanguageModel | None
    reranker: Reranker | None
    engine: MemoryEngine
    record_engine: MemoryEngine
    clock: Clock
    ids: Ids


@dataclass(frozen=True, slots=True)
class Application:
    """One running Assay. Every call takes an ``Access``: ``resolve_access(await verifier.verify(token), scope)``.

    ``forget_who`` drops what is remembered of who may do what.
    A door verifies by ``sign_ins`` and lets in by ``admission``.
    """

    settings: Settings
    services: Services
    verifier: TokenVerifier
    sign_ins: SignIns
    admission: Admission
    limits_are_local: Callable[[], bool]
    resolve_access: AccessResolver
    forget_who: Callable[[OrganizationId | None], None]
    identity: IdentityUseCases
    ingestion: IngestionUseCases
    knowledge: KnowledgeUseCases
    erasure: ErasureUseCases
    journal: JournalUseCases
    audit: AuditUseCases
    projection: ProjectionUseCases
    retrieval: Retrieval
    upkeep: Upkeep
    operations: Operations
    usage: UsageReports
    budgets: Budgets
    set_quotas: SetQuotas
    answer_once: AnswerOnce
    ports: Ports
    probes: tuple[Probe, ...]

    @property
    def unit_of_work(self) -> UnitOfWork:
        """What query functions take."""
        return self.ports.unit_of_work
