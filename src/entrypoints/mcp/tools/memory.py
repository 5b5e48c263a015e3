"""Tools for what a principal remembers for itself."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from application.ingestion.remember import MAX_MEMORY
from entrypoints.application import Application
from entrypoints.mcp.results import ReceiptResult, receipt_result
from entrypoints.mcp.sign_in import Call, SignIn

PERSONAL = "personal"


class MemoryTools:
    """Notes in the personal scope."""

    def __init__(self, app: Application, sign_in: SignIn) -> None:
        self._app = app
        self._sign_in = sign_in

    async def remember(
        self,
        call: Call,
        text: Annotated[
            str,
            Field(description="What to remember, in full sentences that name things.", min_length=1,
                  max_length=MAX_MEMORY),
        ],
    ) -> ReceiptResult:  # fmt: skip
        """Keep something for yourself, in your personal scope: nobody else reads it. Use it for preferences and \
context of later conversations; use assert_fact or propose_document for what everyone should know.

        Facts drawn from it count half at most. Find it again with recall, a moment later. The same text again changes \
nothing."""
        access = await self._sign_in.access(call, PERSONAL)
        return receipt_result(await self._app.ingestion.remember(access, text))
