"""HTTP/1.1 that waits for nobody for ever: for the head of a request, and for an answer to be read."""

from __future__ import annotations

import asyncio
import sys
from typing import Any, cast

import h11
import structlog
from uvicorn.protocols.http.h11_impl import H11Protocol

from entrypoints.sections.serving import LimitsSettings

_TITLES = {400: "Bad Request", 408: "Request Timeout", 431: "Request Header Fields Too Large"}
_LINGER_SECONDS = 1.0
_log = structlog.get_logger(__name__)


class PatientProtocol(H11Protocol):
    """uvicorn's protocol, with an end to its patience.

    - A head that is not whole after ``head_seconds`` is answered with 408, one over ``head_bytes`` with 431.
    - An answer of which nothing is read for ``unread_seconds`` breaks the connection off.
    """

    def __init__(self, limits: LimitsSettings, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._limits = limits
        self._head_timer: asyncio.TimerHandle | None = None
        self._unread_timer: asyncio.TimerHandle | None = None
        self._refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timers()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._head_timer = _stop(self._head_timer)
        elif self._head_timer is None:
            self._await_head()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread_timer = self.loop.call_later(self._limits.unread_seconds, self._break_off)

    def resume_writing(self) -> None:
        self._unread_timer = _stop(self._unread_timer)
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """What cannot be read as a request; uvicorn calls it where it handles the error that says why."""
        status = getattr(sys.exc_info()[1], "error_status_hint", 400)
        if status == 431:
            self._refuse(431, "head_too_large", f"a request's head has at most {self._limits.head_bytes} bytes")
        else:
            self._refuse(400, "malformed_request", "this is no HTTP/1.1 request; see RFC 9112")

    def _await_head(self) -> None:
        self._head_timer = self.loop.call_later(self._limits.head_seconds, self._head_is_late)

    def _head_is_late(self) -> None:
        self._head_timer = None
        if not self.transport.is_closing() and self.conn.their_state is h11.IDLE:
            self._refuse(
                408, "too_slow", f"the head was not whole after {self._limits.head_seconds:g} s; send it faster"
            )

    def _break_off(self) -> None:
        self._unread_timer = None
        _log.info("an answer was not read; the connection is closed", seconds=self._limits.unread_seconds)
        self.transport.abort()

    def _refuse(self, status: int, code: str, detail: str) -> None:
        body = (
            f'{{"type":"urn:assay:problem:{code}","title":"{_TITLES[status]}","status":{status},'
            f'"detail":"{detail}","code":"{code}"}}'
        ).encode()
        head = (
            f"HTTP/1.1 {status} {_TITLES[status]}\r\ncontent-type: application/problem+json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        # Closed at once, what is still coming would make the client's system throw the answer away.
        self._refused = True
        self.transport.write_eof()
        self.loop.call_later(_LINGER_SECONDS, self.transport.close)

    def _stop_timers(self) -> None:
        self._head_timer, self._unread_timer = _stop(self._head_timer), _stop(self._unread_timer)


def patient_protocol(limits: LimitsSettings) -> type[asyncio.Protocol]:
    """What uvicorn makes for each connection."""

    def made(*args: Any, **named: Any) -> PatientProtocol:
        return PatientProtocol(limits, *args, **named)

    return cast("type[asyncio.Protocol]", made)


def _stop(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    """What takes the timer's place: nothing."""
    if timer is not None:
        timer.cancel()
    return None
