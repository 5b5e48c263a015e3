"""The one door for what comes in: bytes are parsed, and words are looked through before anything is kept or read."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from domain.errors import AssayError, InvalidInput
from domain.ingestion.parsed import ParsedDocument
from domain.ingestion.screening import Screen, Screened, screened
from domain.ingestion.sensitive import DEFAULT_POLICY, SECRETS, SensitivePolicy, Treatment, masked, policy_of
from domain.ports.document_parser import DocumentParser
from domain.ports.documents import CollectionRow
from domain.ports.sensitive_finder import SensitiveFinder
from domain.ports.unit_of_work import Transaction

SETTING = "sensitive"
"""What a collection's settings call its own treatments, kind to treatment."""


class Intake:
    """Parses and screens. The policy is the installation's, then each scope's, widest first, then the collection's."""

    def __init__(
        self, parser: DocumentParser, finder: SensitiveFinder, policy: Mapping[str, object] | None = None
    ) -> None:
        self._parser = parser
        self._finder = finder
        self._own = policy or {}
        policy_of(self._own)

    async def parse(self, data: bytes, content_type: str, name: str) -> ParsedDocument:
        """As the parser does; what it says of bad bytes is masked, too."""
        try:
            return await asyncio.to_thread(self._parser.parse, data, content_type, name)
        except AssayError as error:
            told = self._masked(error.message)
            if told == error.message:
                raise
            raise type(error)(told, field=error.field) from None

    async def policy(self, tx: Transaction, collection: CollectionRow | None = None) -> SensitivePolicy:
        """What is done in the transaction's scopes, and in a collection. Raises InvalidInput for what is no policy."""
        layers = [self._own, *await tx.documents.sensitive_policies()]
        return policy_of(*layers, stated_in(collection.settings) if collection else None)

    async def document(
        self, parsed: ParsedDocument, title: str | None, policy: SensitivePolicy
    ) -> tuple[ParsedDocument, str | None, Screened]:
        """The document and its given title as they may be read, and what they hold."""
        return await asyncio.to_thread(screened, parsed, title, self._finder.find, policy)

    def screen(self, policy: SensitivePolicy) -> Screen:
        """For statements, one after the other."""
        return Screen(self._finder.find, policy)

    async def require_clean(self, tx: Transaction, field: str, *texts: str | None) -> None:
        """Raise InvalidInput for a name or a person's word that holds what the policy does not allow."""
        kinds = {found.kind for text in texts if text for found in self._finder.find(text)}
        if not kinds:
            return
        policy = await self.policy(tx)
        if held := sorted(kind.value for kind in kinds if policy.of(kind) is not Treatment.ALLOW):
            raise InvalidInput(
                f"{field} holds what looks like a {', '.join(held)}, which is not kept here; say it without",
                field=field,
            )

    def require_no_secret(self, text: str, field: str = "reason") -> None:
        """Raise InvalidInput for a text that holds a secret and would be kept as it is, such as a journalled reason."""
        if held := sorted({found.kind.value for found in self._finder.find(text) if found.kind in SECRETS}):
            raise InvalidInput(
                f"the {field} holds what looks like a {', '.join(held)}, which is not kept here; say it without",
                field=field,
            )

    def _masked(self, text: str) -> str:
        found = self._finder.find(text)
        return masked(text, found, lambda kind: DEFAULT_POLICY.of(kind) is Treatment.REDACT) if found else text


def held_back(screened: Screened) -> AssayError:
    """Why a statement under quarantine is refused: it has no bytes that could wait without being read."""
    return InvalidInput(
        f"it holds what looks like a {', '.join(screened.quarantined)}, which waits for a person here; send it as a "
        "document, or without",
        field="line",
    )


def stated_in(settings: Mapping[str, object]) -> Mapping[str, object]:
    """The treatments that settings name. Raises InvalidInput when they are no object."""
    stated = settings.get(SETTING, {})
    if not isinstance(stated, Mapping):
        raise InvalidInput("sensitive is an object, kind to treatment", field=SETTING)
    return stated
