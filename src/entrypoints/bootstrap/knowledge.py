"""The use cases by which people change what is known."""

from __future__ import annotations

from application.identity.access import AccessResolver
from application.ingestion.streams import Streams
from application.knowledge.change import ChangeWriter
from application.knowledge.change_vocabulary import ChangeVocabulary
from application.knowledge.correct import Correct, CorrectionWriter
from application.knowledge.decide_contradiction import DecideContradiction
from application.knowledge.edit_entity import EditEntity
from application.knowledge.propose_correction import ProposeCorrection
from application.knowledge.propose_entity_edit import ProposeEntityEdit
from application.knowledge.suggest_merges import SuggestMerges
from application.knowledge.undo import Undo
from entrypoints.application import IngestionUseCases, KnowledgeUseCases, Ports


def knowledge(ports: Ports, resolver: AccessResolver, ingestion: IngestionUseCases) -> KnowledgeUseCases:
    """Corrections, the vocabulary, and undoing."""
    unit_of_work, ids, keys, writer = ports.unit_of_work, ports.ids, ports.keys, ChangeWriter(ports.ids)
    streams = Streams(unit_of_work, ports.vault, ports.clock, ids)
    vocabulary = ChangeVocabulary(resolver, unit_of_work, keys, ids)
    corrections = CorrectionWriter(unit_of_work, streams, writer, keys, ports.clock, ids)
    return KnowledgeUseCases(
        correct=Correct(unit_of_work, streams, writer, keys, ports.clock, ids),
        propose_correction=ProposeCorrection(unit_of_work, ids),
        edit_entity=EditEntity(unit_of_work, streams, writer, keys, ports.clock, ids),
        propose_entity_edit=ProposeEntityEdit(unit_of_work, ids),
        decide_contradiction=DecideContradiction(unit_of_work, corrections, resolver, ports.clock, ids),
        change_vocabulary=vocabulary,
        suggest_merges=SuggestMerges(resolver, unit_of_work, vocabulary, ports.embedder, ids),
        undo=Undo(unit_of_work, writer, keys, vocabulary, ingestion.regrade_source),
    )
