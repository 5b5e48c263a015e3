"""How reads weigh and pack what they find."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from domain.ingestion.copies import COPY_LIKENESS
from domain.standing.grounding import CUTOFFS, Cutoffs
from entrypoints.sections.values import Days, Section, Share


class SearchSettings(Section):
    """Weights of search; those of the blend are shares of one."""

    full_text_weight: Annotated[float, Field(ge=0.0)] | None = None
    vector_weight: Annotated[float, Field(ge=0.0)] | None = None
    rank_constant: Annotated[float, Field(ge=0.0)] | None = None
    relevance: Share | None = None
    authority: Share | None = None
    verification: Share | None = None
    recency: Share | None = None
    feedback: Share | None = None
    confidence: Share | None = None
    reranker_weight: Share | None = None


class GroundingSettings(Section):
    """How evidence is counted: docs/grounding.md has the rules.

    ``prior`` is a mass, ``affirmative`` and ``contested`` are cut-offs. ``copy_likeness`` is how alike two passages are
    from which they count once.
    """

    prior: Annotated[float, Field(gt=0.0)] = CUTOFFS.prior
    affirmative: Share = CUTOFFS.affirmative
    contested: Share = CUTOFFS.contested
    copy_likeness: Annotated[float, Field(ge=0.7, le=1.0)] = COPY_LIKENESS

    def cutoffs(self) -> Cutoffs:
        """For reads."""
        return Cutoffs(self.prior, self.affirmative, self.contested)


class PacksSettings(Section):
    """Context packs: for how many days stored ones are kept, and the model whose tokens count where none is named."""

    days: Days = 30.0
    model: str | None = None
