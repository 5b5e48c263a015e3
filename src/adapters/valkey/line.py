"""One connection to Valkey on which commands of the same moment go out together."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, TypeAlias

from valkey.asyncio.connection import Connection, ConnectionPool
from valkey.asyncio.retry import Retry
from valkey.backoff import NoBackoff
from valkey.exceptions import ConnectionError as Broken
from valkey.exceptions import ResponseError, ValkeyError

_Words: TypeAlias = tuple[str | int, ...]
_Waiting: TypeAlias = tuple[_Words, "asyncio.Future[Any]"]


class ValkeyLine:
    """Sends commands in the order in which they were asked, as many at once as wait, and hands out their answers.

    Many at once cost one read and one write. When nothing comes for ``timeout_seconds``, everybody who waits is told at
    once. A connection that had been idle and turns out to be closed is opened anew, once.
    """

    def __init__(self, url: str, timeout_seconds: float) -> None:
        pool = ConnectionPool.from_url(
            url,
            socket_timeout=timeout_seconds,
            socket_connect_timeout=timeout_seconds,
            retry=Retry(NoBackoff(), 0),
        )
        self._connection: Connection = pool.make_connection()  # type: ignore[no-untyped-call]
        self._waiting: list[_Waiting] = []
        self._sending: asyncio.Task[None] | None = None

    async def call(self, *words: str | int) -> Any:
        """The answer. Raises ValkeyError and OSError."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((words, answer))
        if self._sending is None:
            self._sending = asyncio.create_task(self._send())
        return await answer

    async def close(self) -> None:
        """Close the connection; whoever still waits is told that it broke."""
        if self._sending is not None:
            self._sending.cancel()
            with suppress(asyncio.CancelledError):
                await self._sending
        await self._connection.disconnect()

    async def _send(self) -> None:
        batch: list[_Waiting] = []
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                await self._exchange(batch)
        except (ValkeyError, OSError) as error:
            _tell([*batch, *self._waiting], error)
            self._waiting = []
            await self._connection.disconnect(nowait=True)
        finally:
            _tell([*batch, *self._waiting], Broken("the connection was closed"))
            self._waiting, self._sending = [], None

    async def _exchange(self, batch: list[_Waiting]) -> None:
        packed = self._connection.pack_commands([words for words, _ in batch])
        was_open = self._connection.is_connected
        try:
            await self._begin(packed, batch)
        except Broken:
            if not was_open:
                raise
            await self._connection.disconnect(nowait=True)
            await self._begin(packed, batch)
        for _, answer in batch[1:]:
            await self._read(answer)

    async def _begin(self, packed: Any, batch: list[_Waiting]) -> None:
        await self._connection.connect()  # type: ignore[no-untyped-call]
        await self._connection.send_packed_command(packed, check_health=False)
        await self._read(batch[0][1])

    async def _read(self, answer: asyncio.Future[Any]) -> None:
        try:
            said = await self._connection.read_response()
        except ResponseError as error:
            _tell([((), answer)], error)
            return
        if not answer.done():
            answer.set_result(said)


def _tell(waiting: list[_Waiting], error: Exception) -> None:
    for _, answer in waiting:
        if not answer.done():
            answer.set_exception(error)
