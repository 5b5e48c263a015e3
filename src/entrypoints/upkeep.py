"""What a worker does besides following single writes, and what an operator starts."""

from __future__ import annotations

from dataclasses import dataclass

from application.knowledge.rebuild_standings import RebuildStandings
from application.projection.sweep import Sweep
from application.vectors.embed import EmbedPending
from application.vectors.swap import AddEmbeddings, SwitchEmbeddings
from domain.ports.stragglers import Stragglers


@dataclass(frozen=True, slots=True)
class Upkeep:
    """Vectors, standings and the sweeper."""

    embed_pending: EmbedPending
    add_embeddings: AddEmbeddings
    switch_embeddings: SwitchEmbeddings
    rebuild_standings: RebuildStandings
    sweep: Sweep
    stragglers: Stragglers
