"""What is looked for in what comes in, and what becomes of it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from domain.ingestion.sensitive import SECRETS, SensitiveKind
from entrypoints.sections.values import Names, Positive, Seconds, Section

Treated = Literal["redact", "quarantine", "allow"]


class FetchSettings(Section):
    """Pages that are fetched by their address: ``hosts`` are those that may be asked, ``*.example.com`` or ``*``; none
    are by default. Addresses inside a network are refused whatever is allowed. The rest are limits of one fetch.
    """

    hosts: Names = ()
    bytes: Positive = 20 * 1024 * 1024
    seconds: Seconds = 20.0
    redirects: Annotated[int, Field(ge=0, le=20)] = 5


class SensitiveSettings(Section):
    """Secrets and personal data in texts; scopes and collections may say otherwise: docs/untrusted-input.md.

    ``regions`` are the countries (ISO 3166) whose telephone numbers are known without their country's code.
    """

    secrets: Treated = "redact"
    cards: Treated = "redact"
    ibans: Treated = "redact"
    emails: Treated = "allow"
    phones: Treated = "allow"
    regions: Names = ("US", "GB", "VN")

    def policy(self) -> dict[str, str]:
        """Kind to treatment."""
        policy: dict[str, str] = {kind.value: self.secrets for kind in SECRETS}
        return policy | {
            SensitiveKind.CARD.value: self.cards,
            SensitiveKind.IBAN.value: self.ibans,
            SensitiveKind.EMAIL.value: self.emails,
            SensitiveKind.PHONE.value: self.phones,
        }
