"""Vectors that were computed before are not computed again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from hashlib import sha256
from threading import Lock

import numpy as np

from domain.errors import Unavailable
from domain.identity.ids import OrganizationId
from domain.ports.cache import Cache
from domain.ports.embedder import Embedder, Vectors
from domain.retrieval.closeness import Nearness

MONTH_SECONDS = 30 * 24 * 3600
STORED = np.dtype("<f4")
_ROLES = ("query", "passage")
_PORTION = 1_000


class RecentVectors:
    """The vectors used last, in this process: ``capacity`` of them, each 4 bytes a dimension."""

    def __init__(self, capacity: int = 20_000) -> None:
        self._capacity = capacity
        self._vectors: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = Lock()

    def get_many(self, keys: Sequence[str]) -> dict[str, Vectors]:
        with self._lock:
            found = {key: self._vectors[key] for key in keys if key in self._vectors}
            for key in found:
                self._vectors.move_to_end(key)
        return found

    def delete_many(self, keys: Sequence[str]) -> None:
        with self._lock:
            for key in keys:
                self._vectors.pop(key, None)

    def set_many(self, vectors: dict[str, Vectors]) -> None:
        with self._lock:
            self._vectors.update(vectors)
            while len(self._vectors) > self._capacity:
                self._vectors.popitem(last=False)


class CachingEmbedder:
    """``Embedder`` that asks, in this order: this process, the shared cache, the inner embedder.

    A key is the role (query or passage), model, dimension and SHA-256 of the text, so that it holds no text and a
    changed model finds nothing. Each distinct text is embedded once a call; the inner embedder, and so its meter,
    sees misses only. The shared cache is an advantage, never a need: see ``Cache`` for what its failures mean.
    ``RecentVectors`` may be shared by many of these. ``whose`` goes into the keys where an organization pays: what was
    embedded for another one is not free, or its bill would tell what others have.
    """

    def __init__(
        self,
        inner: Embedder,
        recent: RecentVectors,
        shared: Cache | None = None,
        ttl_seconds: int = MONTH_SECONDS,
        *,
        whose: OrganizationId | None = None,
    ) -> None:
        self._inner = inner
        self._recent = recent
        self._shared = shared
        self._ttl_seconds = ttl_seconds
        self._whose = whose

    @property
    def model(self) -> str:
        return self._inner.model

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    @property
    def nearness(self) -> Nearness | None:
        return self._inner.nearness

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return await self._embed("query", texts, self._inner.embed_queries)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return await self._embed("passage", texts, self._inner.embed_passages)

    async def _embed(
        self, role: str, texts: Sequence[str], embed: Callable[[Sequence[str]], Awaitable[Vectors]]
    ) -> Vectors:
        keys = [self._key(role, text) for text in texts]
        text_of = dict(zip(keys, texts, strict=True))
        found = self._recent.get_many(list(text_of))
        missing = [key for key in text_of if key not in found]
        shared = await self._from_shared(missing)
        missing = [key for key in missing if key not in shared]
        computed: dict[str, Vectors] = {}
        if missing:
            computed = dict(zip(missing, await embed([text_of[key] for key in missing]), strict=True))
            await self._to_shared(computed)
        # Copies, so that a kept row does not keep the whole batch alive and no caller can change it.
        self._recent.set_many({key: vector.copy() for key, vector in (shared | computed).items()})
        found |= shared | computed
        return np.stack([found[key] for key in keys]) if keys else np.empty((0, self.dimension), dtype=np.float32)

    def _key(self, role: str, text: str) -> str:
        digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return _key(role, self.model, self.dimension, digest, self._whose)

    async def _from_shared(self, keys: Sequence[str]) -> dict[str, Vectors]:
        if self._shared is None or not keys:
            return {}
        stored = await self._shared.get_many(keys)
        # Bytes of another length are of no use, whoever wrote them.
        whole = {key: value for key, value in stored.items() if len(value) == self.dimension * STORED.itemsize}
        return {key: np.frombuffer(value, dtype=STORED).astype(np.float32) for key, value in whole.items()}

    async def _to_shared(self, vectors: dict[str, Vectors]) -> None:
        if self._shared is not None:
            items = {key: vector.astype(STORED).tobytes() for key, vector in vectors.items()}
            await self._shared.set_many(items, self._ttl_seconds)


class CachedVectors:
    """Implements ``VectorCache`` over what ``CachingEmbedder`` keeps for one model.

    ``persist`` makes a shared cache write its files anew, where it has any.
    """

    def __init__(
        self,
        model: str,
        dimension: int,
        recent: RecentVectors,
        shared: Cache,
        persist: Callable[[], Awaitable[Sequence[str]]] | None = None,
    ) -> None:
        self._model = model
        self._dimension = dimension
        self._recent = recent
        self._shared = shared
        self._persist = persist

    async def forget(self, organization_id: OrganizationId, digests: Sequence[str]) -> None:
        """Drop both roles of every digest, also what the organization paid for. Raises Unavailable."""
        keys = [
            _key(role, self._model, self._dimension, digest, whose)
            for role in _ROLES
            for whose in (None, organization_id)
            for digest in digests
        ]
        self._recent.delete_many(keys)
        for start in range(0, len(keys), _PORTION):
            if not await self._shared.delete_many(keys[start : start + _PORTION]):
                raise Unavailable("the cache does not answer, and may hold vectors of what was erased; try again")

    async def persist(self) -> Sequence[str]:
        """What the shared cache keeps in files; one in memory keeps none."""
        return await self._persist() if self._persist is not None else ()


def _key(role: str, model: str, dimension: int, digest: str, whose: OrganizationId | None) -> str:
    owner = f"{whose.hex}:" if whose is not None else ""
    return f"embedding:{owner}{role}:{model}:{dimension}:{digest}"
