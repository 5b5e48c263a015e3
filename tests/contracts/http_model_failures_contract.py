"""What every language model over HTTP makes of a provider that behaves badly, to the exact number of requests."""

from __future__ import annotations

from collections.abc import Callable
from socket import socket
from typing import Any

import httpx
import pytest

from application.models.provider_chain import ProviderChain
from application.models.provider_failures import ProviderRefused
from domain.errors import ModelReplyInvalid, Unavailable
from domain.ports.language_model import LanguageModel, UnusableReply
from tests.contracts.language_model_contract import GOOD, GOOD_DATA, a_request
from tests.contracts.model_server import HANG_UP, SILENCE, ModelServer, Reply, Waits, impatient_chain

BuildModel = Callable[[httpx.AsyncClient, ProviderChain], LanguageModel]
Said = Callable[[str], Reply]


class HttpModelFailuresContract:
    """Subclass and override ``build`` (the adapter) and ``said`` (its provider's answer with a text)."""

    @pytest.fixture
    def build(self) -> BuildModel:
        raise NotImplementedError

    @pytest.fixture
    def said(self) -> Said:
        raise NotImplementedError

    @pytest.fixture
    def waits(self) -> Waits:
        return Waits()

    async def complete(self, server: ModelServer, build: BuildModel, waits: Waits, **limits: Any) -> Any:
        async with httpx.AsyncClient(base_url=server.url) as client:
            return await build(client, impatient_chain(waits, **limits)).complete(a_request())

    async def test_a_server_that_is_not_there_is_unavailable(self, build: BuildModel) -> None:
        with socket() as free:
            free.bind(("127.0.0.1", 0))
            nobody = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        async with httpx.AsyncClient(base_url=nobody) as client:
            with pytest.raises(Unavailable, match="cannot be reached") as raised:
                await build(client, impatient_chain()).complete(a_request())
        assert not isinstance(raised.value, ModelReplyInvalid)

    async def test_a_slow_server_is_unavailable_after_all_attempts(
        self, server: ModelServer, build: BuildModel, waits: Waits
    ) -> None:
        server.will_reply(SILENCE, SILENCE)
        with pytest.raises(Unavailable, match=r"did not answer within 0\.1 s"):
            await self.complete(server, build, waits, timeout_seconds=0.1, attempts=2)
        assert len(server.received) == 2

    async def test_a_server_that_hangs_up_is_asked_again(
        self, server: ModelServer, build: BuildModel, waits: Waits, said: Said
    ) -> None:
        server.will_reply(HANG_UP, said(GOOD))
        reply = await self.complete(server, build, waits)
        assert reply.data == GOOD_DATA
        assert reply.requests == len(server.received) == 2

    async def test_failures_and_then_an_answer_is_an_answer(
        self, server: ModelServer, build: BuildModel, waits: Waits, said: Said
    ) -> None:
        server.will_reply(Reply("oops", status=500), Reply({}, status=503), said(GOOD))
        reply = await self.complete(server, build, waits)
        assert reply.data == GOOD_DATA
        assert reply.requests == len(server.received) == 3

    async def test_a_server_that_keeps_failing_is_unavailable(
        self, server: ModelServer, build: BuildModel, waits: Waits
    ) -> None:
        server.will_reply(*[Reply("oops", status=500)] * 4)
        with pytest.raises(Unavailable, match="answered 500"):
            await self.complete(server, build, waits)
        assert len(server.received) == 3

    async def test_a_busy_server_is_left_alone_for_as_long_as_it_asks(
        self, server: ModelServer, build: BuildModel, waits: Waits, said: Said
    ) -> None:
        server.will_reply(Reply({}, status=429, headers={"retry-after": "7"}), said(GOOD))
        reply = await self.complete(server, build, waits)
        assert reply.data == GOOD_DATA
        assert reply.requests == len(server.received) == 2
        assert waits.seconds == [7.0]

    async def test_a_server_that_asks_for_too_long_a_pause_is_unavailable_at_once(
        self, server: ModelServer, build: BuildModel, waits: Waits
    ) -> None:
        server.will_reply(Reply({}, status=429, headers={"retry-after": "600"}))
        with pytest.raises(Unavailable, match="answered 429"):
            await self.complete(server, build, waits)
        assert len(server.received) == 1
        assert waits.seconds == []

    async def test_a_wrong_key_is_refused_without_a_second_try(
        self, server: ModelServer, build: BuildModel, waits: Waits
    ) -> None:
        server.will_reply(Reply({"error": {"message": "key sk-123 is wrong"}}, status=401))
        with pytest.raises(ProviderRefused, match="check the API key") as raised:
            await self.complete(server, build, waits)
        assert "sk-123" not in raised.value.message
        assert len(server.received) == 1

    @pytest.mark.parametrize("body", ["<html>", [], {"choices": []}, {"content": 3}, {}])
    async def test_an_answer_of_another_api_is_unavailable(
        self, server: ModelServer, build: BuildModel, waits: Waits, body: Any
    ) -> None:
        server.will_reply(*[Reply(body)] * 3)
        with pytest.raises(Unavailable, match="check its base URL"):
            await self.complete(server, build, waits)
        assert len(server.received) == 3

    async def test_a_bad_reply_and_then_a_failing_server_keeps_what_was_paid(
        self, server: ModelServer, build: BuildModel, waits: Waits, said: Said
    ) -> None:
        server.will_reply(said("prose"), *[Reply({}, status=500)] * 3)
        with pytest.raises(UnusableReply) as raised:
            await self.complete(server, build, waits)
        assert (raised.value.input_tokens, raised.value.output_tokens, raised.value.requests) == (10, 5, 4)
        assert len(server.received) == 4
