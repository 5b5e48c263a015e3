"""A token that pins both times, past which no read goes: for asking what could have been known then."""

from __future__ import annotations

import base64
import binascii
import hmac
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from uuid import UUID

from domain.errors import InvalidInput
from domain.identity.ids import OrganizationId, Revision
from domain.retrieval.facts import Rival, StandingFact
from domain.retrieval.reading import ReadPoint

_MARK, _PURPOSE = "rp1", b"assay read point"
FIELD = "read_point"


@dataclass(frozen=True, slots=True)
class Pin:
    """The latest moment of valid time and the last revision that may be read, and when the token ends."""

    organization_id: OrganizationId
    as_of: datetime
    known_at: Revision
    expires_at: datetime

    def hold(self, point: ReadPoint) -> ReadPoint:
        """The point within the pin. Raises InvalidInput for one that asks for more."""
        if point.all_time:
            raise InvalidInput(
                f"all of time goes past the read point, which ends at {self.as_of.isoformat()}; name an as_of",
                field="all_time",
            )
        if point.as_of is not None and point.as_of > self.as_of:
            raise InvalidInput(
                f"as_of {point.as_of.isoformat()} is past the read point's, {self.as_of.isoformat()}", field="as_of"
            )
        if point.known_at is not None and point.known_at > self.known_at:
            raise InvalidInput(
                f"known_at {point.known_at} is past the read point's, revision {self.known_at}", field="known_at"
            )
        known_at = self.known_at if point.known_at is None else point.known_at
        return replace(point, as_of=point.as_of or self.as_of, known_at=known_at, horizon=self.as_of)


def sealed(pin: Pin, organization_key: bytes) -> str:
    """The token of a pin."""
    moments = (f"{moment.astimezone(UTC).isoformat()}" for moment in (pin.as_of, pin.expires_at))
    body = "|".join((str(pin.organization_id), str(pin.known_at), *moments)).encode()
    return ".".join((_MARK, _text(body), _text(_signature(body, organization_key))))


def unsealed(token: str, organization_key: bytes, organization_id: OrganizationId, now: datetime) -> Pin:
    """The pin of a token. Raises InvalidInput for one that is not this organization's, was changed or has expired."""
    try:
        mark, body, signature = (part.encode() for part in token.split("."))
        content = base64.urlsafe_b64decode(body + b"=" * (-len(body) % 4))
        given = base64.urlsafe_b64decode(signature + b"=" * (-len(signature) % 4))
        if mark != _MARK.encode() or not hmac.compare_digest(given, _signature(content, organization_key)):
            raise ValueError
        organization, known_at, as_of, expires_at = content.decode().split("|")
        pin = Pin(
            OrganizationId(UUID(organization)),
            datetime.fromisoformat(as_of),
            Revision(int(known_at)),
            datetime.fromisoformat(expires_at),
        )
    except (ValueError, binascii.Error):
        raise InvalidInput("this is no read point of this organization; make one anew", field=FIELD) from None
    if pin.organization_id != organization_id:
        raise InvalidInput("this is no read point of this organization; make one anew", field=FIELD)
    if pin.expires_at <= now:
        raise InvalidInput(f"the read point ended at {pin.expires_at.isoformat()}; make one anew", field=FIELD)
    return pin


def within(fact: StandingFact, horizon: datetime) -> StandingFact:
    """The fact as it could be seen at a moment: no end that was still to come, and no document that was not out yet."""
    start, end = fact.stretch or (fact.valid_from, fact.valid_to)
    citation = fact.citation
    late = citation is not None and citation.published_at is not None and citation.published_at > horizon
    return replace(
        fact,
        valid_to=_open(fact.valid_to, horizon),
        stretch=(start, _open(end, horizon)),
        citation=None if late else citation,
        rivals=tuple(_held(rival, horizon) for rival in fact.rivals if _begun(rival.valid_from, horizon)),
    )


def _held(rival: Rival, horizon: datetime) -> Rival:
    return replace(rival, valid_to=_open(rival.valid_to, horizon))


def _begun(start: datetime | None, horizon: datetime) -> bool:
    return start is None or start <= horizon


def _open(end: datetime | None, horizon: datetime) -> datetime | None:
    return None if end is not None and end > horizon else end


def _signature(body: bytes, organization_key: bytes) -> bytes:
    return hmac.digest(hmac.digest(organization_key, _PURPOSE, "sha256"), body, "sha256")


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")
