"""The use cases by which people change what is known."""

from __future__ import annotations

import asyncpg

from adapters.postgres.contradictions import PostgresContradictionReader
from adapters.postgres.knowledge_reader import PostgresKnowledgeReader
from application.identity.access import AccessResolver
from application.ingestion.intake import Intake
from application.ingestion.streams import Streams
from application.knowledge.change import ChangeWriter
from application.knowledge.change_vocabulary import ChangeVocabulary
from application.knowledge.correct import Correct, CorrectionWriter
from application.knowledge.decide_contradiction import DecideContradiction
from application.knowledge.edit_entity import EditEntity
from application.knowledge.judge_replacements import JudgeReplacements
from application.knowledge.propose_correction import ProposeCorrection
from application.knowledge.propose_entity_edit import ProposeEntityEdit
from application.knowledge.propose_promotion import ProposePromotion
from application.knowledge.suggest_merges import SuggestMerges
from application.knowledge.undo import Undo
from application.retrieval.contradictions import ContradictionReads
from application.retrieval.vocabulary import Vocabularies
from domain.ports.replacement_judge import ReplacementJudge
from entrypoints.application import IngestionUseCases, KnowledgeUseCases, Ports


def knowledge(
    ports: Ports,
    pool: asyncpg.Pool,
    doors: tuple[AccessResolver, Intake],
    ingestion: IngestionUseCases,
    judge: tuple[ReplacementJudge | None, int],
) -> KnowledgeUseCases:
    """Corrections, the vocabulary, and undoing. ``judge`` is the configured one, and how much it is asked in a run."""
    resolver, intake = doors
    facts = PostgresKnowledgeReader(pool)
    vocabularies = Vocabularies(facts, ports.clock)
    reads = ContradictionReads(PostgresContradictionReader(pool), facts, vocabularies, ports.clock)
    propose = ProposeCorrection(ports.unit_of_work, ports.ids, intake)
    unit_of_work, ids, keys, writer = ports.unit_of_work, ports.ids, ports.keys, ChangeWriter(ports.ids, intake)
    streams = Streams(unit_of_work, ports.vault, ports.clock, ids)
    vocabulary = ChangeVocabulary(resolver, unit_of_work, keys, ids)
    corrections = CorrectionWriter(unit_of_work, streams, writer, keys, ports.clock, ids)
    return KnowledgeUseCases(
        correct=Correct(unit_of_work, streams, writer, keys, ports.clock, ids),
        propose_correction=propose,
        propose_promotion=ProposePromotion(unit_of_work, facts, ports.clock, ids, intake),
        judge_replacements=JudgeReplacements(unit_of_work, reads, propose, *judge),
        edit_entity=EditEntity(unit_of_work, streams, writer, keys, ports.clock, ids),
        propose_entity_edit=ProposeEntityEdit(unit_of_work, ids, intake),
        decide_contradiction=DecideContradiction(unit_of_work, corrections, resolver, ports.clock, ids),
        change_vocabulary=vocabulary,
        suggest_merges=SuggestMerges(resolver, unit_of_work, vocabulary, ports.embedder, ids),
        undo=Undo(unit_of_work, writer, keys, vocabulary, ingestion.regrade_source),
    )
