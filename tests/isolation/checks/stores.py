"""Objects, caches, graphs and idempotency keys: what one organization could see of another in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import numpy as np

from adapters.embeddings.caching import CachingEmbedder, RecentVectors
from adapters.embeddings.deterministic import DeterministicEmbedder
from adapters.graphiti import reading
from application.models.metering import MeteredEmbedder, embedder_for
from domain.identity.access import Access
from domain.identity.ids import EntityId, GroupId, OrganizationId, PrincipalId
from domain.identity.principal import Principal, PrincipalKind, Role
from domain.ports.embedder import Embedder, Payer, Spent, Vectors
from domain.ports.usage import UsageEntry
from domain.retrieval.graph import Direction, GraphView, NeighbourhoodQuery, PathQuery, SubgraphQuery
from tests.isolation.conftest import Two
from tests.isolation.rules import stores as rules
from tests.isolation.two_organizations import CLAIM, DOCUMENT

SOURCE = Path(__file__).parents[3] / "src"
KEEPS = re.compile(
    r"\b(Remembered|RecentVectors|OrderedDict|lru_cache|TTLCache)\s*[\[(]|^class \w*(Cache|RateLimiter)\b", re.M
)


def undeclared_caches() -> list[str]:
    """Modules that keep something between requests, and say nowhere whose it is."""
    keeping = {
        str(file.relative_to(SOURCE)) for file in SOURCE.rglob("*.py") if KEEPS.search(file.read_text("utf-8"))
    } - {"domain/ports/cache.py", "domain/ports/rate_limiter.py", "application/identity/remembered.py"}
    todo = "say what is in its keys, in tests/isolation/rules/stores.py"
    left = sorted(file for file in keeping if file not in rules.CACHES and not file.startswith(rules.PURE))
    return [f"{file}: {todo}" for file in left]


async def misplaced_objects(two: Two) -> list[str]:
    """Objects of the same text, kept by two organizations, whose keys do not begin with organization and scope."""
    same = DOCUMENT | {"record_key": f"{uuid4()}.txt", "text": f"The same words in two organizations: {uuid4()}."}
    for organization in (two.ours, two.theirs):
        await organization.ask("POST", "/v1/documents", same)
    rows = await two.administrator.fetch("SELECT organization_id, group_id, object_key FROM assay.artifacts")
    return [
        f"{row['object_key']} is not under its organization and scope"
        for row in rows
        if row["object_key"] and not row["object_key"].startswith(f"{row['organization_id']}/{row['group_id']}/")
    ]


async def free_vectors() -> list[str]:
    """Vectors that an organization gets for nothing, since another one paid for them."""
    meter, recent = _Meter(), RecentVectors()
    metered = MeteredEmbedder(
        _Paid(), meter, lambda: datetime(2026, 1, 1, tzinfo=UTC),
        lambda inner, whose: CachingEmbedder(inner, recent, whose=whose),
    )  # fmt: skip
    for _ in range(2):
        access = Access(_principal(), (GroupId(f"o_{'0' * 32}"),), GroupId(f"o_{'0' * 32}"))
        await embedder_for(access, metered).embed_passages(["a text of both"])
    return [] if len(meter.entries) == 2 else ["a text that another organization embedded costs nothing"]


async def unbound_graph_statements() -> list[str]:
    """Statements of the graph in which an end or an edge is not held to the scopes of the view."""
    heard: list[str] = []

    async def hear(statement: str, _: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        heard.append(statement)
        return []

    view = GraphView(OrganizationId(UUID(int=1)), (GroupId(f"o_{'0' * 32}"),), datetime(2026, 1, 1, tzinfo=UTC))
    graph, start = reading.GraphReading(hear), EntityId(UUID(int=2))
    near = NeighbourhoodQuery(view, (start,), hops=2)
    await graph.edges_at(near, [start], 10)
    await graph.rows_within(near, 10)
    await graph.links_at(PathQuery(view, start, EntityId(UUID(int=3))), [start], Direction.OUT)
    await graph.is_readable(view, start)
    await graph.subgraph(SubgraphQuery(view, (start,)))
    wrong = []
    for statement in heard:
        names = set(re.findall(r"[(\[](\w+):(?:Entity|RELATES_TO)", statement))
        names |= set(re.findall(r"->?\((\w+)\)", statement))
        wrong += [f"{name} is of any scope in: {statement}" for name in sorted(names) if not _held(name, statement)]
    return wrong


def _held(name: str, statement: str) -> bool:
    return f"{name}.group_id IN $scopes" in statement


async def replayed_across(two: Two) -> list[str]:
    """Answers of another organization that come back under the same idempotency key."""
    key, answers = str(uuid4()), []
    for organization in (two.theirs, two.ours):
        body = {"statements": [CLAIM | {"object": "Quay"}]}
        answer = await organization.owner.post("/v1/assertions", json=body, headers={"Idempotency-Key": key})
        answers.append(answer)
    replayed = "idempotent-replayed" in answers[1].headers
    wrong = ["an answer of others is replayed"] if replayed else []
    return wrong + [f"it shows {leak}" for leak in two.theirs.leaked(answers[1].text)]


def _principal() -> Principal:
    return Principal(
        PrincipalId(UUID(int=7)), OrganizationId(uuid4()), PrincipalKind.HUMAN, Role.OWNER, "test", "Tester"
    )


class _Meter:
    """Implements ``UsageMeter``."""

    def __init__(self) -> None:
        self.entries: list[UsageEntry] = []

    async def check(self, *_: object) -> None:
        """There is always budget."""

    async def record(self, entry: UsageEntry) -> None:
        self.entries.append(entry)


class _Paid(DeterministicEmbedder):
    """Implements ``PaidEmbedder``."""

    def __init__(self, payer: Payer | None = None) -> None:
        super().__init__(32)
        self._payer = payer

    def paid_by(self, payer: Payer) -> Embedder:
        return _Paid(payer)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        assert self._payer is not None
        await self._payer.spend(Spent(requests=1, texts=len(texts), tokens=1))
        return np.zeros((len(texts), 32), dtype=np.float32)
