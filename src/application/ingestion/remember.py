"""What a principal wants to remember: text in its personal scope, live at once, believed no more than half."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from application.ingestion.sources import MEMORY
from application.ingestion.submission import DocumentSubmission
from application.ingestion.submit_document import SubmitDocument
from domain.errors import InvalidInput, shown
from domain.identity.access import Access
from domain.ports.documents import Receipt

MAX_MEMORY = 20_000
"""Characters of one memory."""


class Remember:
    """Keeps a text in the personal scope of who says it.

    - The access must be personal: nobody else reads what is remembered.
    - What is drawn from it is live, with a confidence of at most 0.5; it never corroborates anything.
    - The same text again changes nothing.
    """

    def __init__(self, submit: SubmitDocument) -> None:
        self._submit = submit

    async def __call__(self, access: Access, text: str, notes: Mapping[str, object] | None = None) -> Receipt:
        """Raises InvalidInput for an empty or oversized text, or a scope that is not personal."""
        if not access.write_scope.startswith("u_"):
            raise InvalidInput("remember writes into the personal scope only", field="scope")
        if not 1 <= len(text.strip()) <= MAX_MEMORY:
            raise InvalidInput(f"a memory has 1 to {MAX_MEMORY} characters: {shown(text)}", field="text")
        key = hashlib.sha256(text.strip().encode()).hexdigest()
        submission = DocumentSubmission(
            data=text.encode(),
            source=MEMORY,
            record_key=f"memory/{key}",
            content_type="text/plain",
            memory=True,
            notes=notes or {},
        )
        return await self._submit(access, submission)
