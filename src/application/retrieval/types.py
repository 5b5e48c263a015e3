"""What a search asks and answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any

from domain.errors import InvalidInput, shown
from domain.identity.ids import EntityId
from domain.retrieval.blend import BlendWeights, Signals
from domain.retrieval.closeness import Match
from domain.retrieval.expansion import Expansion
from domain.retrieval.facts import StandingFact
from domain.retrieval.fusion import RANK_CONSTANT
from domain.retrieval.passages import Passage
from domain.retrieval.reading import FactFilter, ReadPoint
from domain.retrieval.rerank import RERANK_WEIGHT

MAX_QUERY = 2_000
"""Characters of a query."""
MAX_TOP = 100
"""Hits of one search."""
FACTS = "facts"
CHUNKS = "chunks"


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A question and how to answer it.

    ``sections`` holds "facts", "chunks" or both; ``cited_only`` keeps chunks to the documents that the facts point to.
    ``predicates`` are in any spelling. ``expansion`` None leaves the graph out. ``rerank`` asks for the third stage
    where one is configured.
    """

    query: str
    limit: int = 10
    sections: tuple[str, ...] = (FACTS,)
    cited_only: bool = False
    point: ReadPoint = field(default_factory=ReadPoint)
    filter: FactFilter = field(default_factory=FactFilter)
    predicates: tuple[str, ...] = ()
    expansion: Expansion | None = None
    rerank: bool = True

    def __post_init__(self) -> None:
        if not self.query.strip():
            raise InvalidInput("the query is empty; ask something", field="query")
        if len(self.query) > MAX_QUERY:
            raise InvalidInput(
                f"a query has at most {MAX_QUERY} characters, not {len(self.query)}: {shown(self.query)}", field="query"
            )
        if not 1 <= self.limit <= MAX_TOP:
            raise InvalidInput(f"limit is 1 to {MAX_TOP}, not {self.limit}", field="limit")
        unknown = [section for section in self.sections if section not in (FACTS, CHUNKS)]
        if CHUNKS in self.sections and self.point.horizon is not None:
            raise InvalidInput("passages cannot be held to a read point; ask for facts alone", field="sections")
        if unknown or not self.sections:
            raise InvalidInput(f"sections are {FACTS} and {CHUNKS}, not {shown(self.sections)}", field="sections")


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How lists are fused and signals blended; the weights of the lists were chosen on development data.

    ``depth`` is how many of each list are read, ``pool`` how many fused candidates are loaded and blended.
    ``answer_weight`` is what a fact that answers the question as read adds to its fused score.
    """

    text_weight: float = 0.7
    vector_weight: float = 0.3
    about_weight: float = 0.3
    answer_weight: float = 1.0
    constant: float = RANK_CONSTANT
    depth: int = 50
    pool: int = 50
    blend: BlendWeights = field(default_factory=BlendWeights)
    rerank_weight: float = RERANK_WEIGHT
    rerank_pool: int = 20

    def pinned(self) -> dict[str, float]:
        """All of them by name, for a snapshot."""
        own = {each.name: float(getattr(self, each.name)) for each in fields(self) if each.name != "blend"}
        return own | {f"blend.{each.name}": getattr(self.blend, each.name) for each in fields(self.blend)}

    @classmethod
    def of_pinned(cls, weights: Mapping[str, float]) -> SearchSettings:
        """Those of a snapshot; what it has no word of is as by default."""
        blend = {name.removeprefix("blend."): value for name, value in weights.items() if name.startswith("blend.")}
        known = {each.name for each in fields(BlendWeights)}
        own: dict[str, Any] = {each.name: weights[each.name] for each in fields(cls) if each.name in weights}
        whole: dict[str, Any] = {name: int(own[name]) for name in ("depth", "pool", "rerank_pool") if name in own}
        blended = BlendWeights(**{name: value for name, value in blend.items() if name in known})
        return replace(cls(blend=blended), **(own | whole))


@dataclass(frozen=True, slots=True)
class Hit:
    """A fact that answers, with what its score is made of. ``hops`` is 0, or how far expansion went for it.

    ``reranked`` is the reranker's score where there was one.
    """

    fact: StandingFact
    score: float
    signals: Signals
    hops: int = 0
    reranked: float | None = None


@dataclass(frozen=True, slots=True)
class PassageHit:
    """A chunk that answers, and its fused score."""

    passage: Passage
    score: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits and passages, best first. ``as_of`` is the moment asked about, None for all of time.

    ``entities`` are those that the query names, with their aliases. ``notes`` say what was left out and why: no
    vectors yet, a reranker or graph that does not answer. ``match`` says how close the closest is: ``close`` when it
    shares a telling word with the query, is about what it names, or is surely near in meaning; ``weak`` when it is only
    perhaps near in meaning; ``none`` when there was nothing or nothing of these, and then the result is empty.
    ``seconds`` are how long the stages took.
    """

    hits: tuple[Hit, ...]
    passages: tuple[PassageHit, ...]
    entities: tuple[EntityId, ...]
    as_of: datetime | None
    notes: tuple[str, ...] = ()
    match: Match = Match.CLOSE
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)
