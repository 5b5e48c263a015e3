"""What becomes of secrets and personal data, and pages that are fetched."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from litestar import get, post, put
from litestar.params import JSONBody

from application.ingestion.fetch_document import PageWish
from application.ingestion.treat_sensitive import Treatments
from domain.ingestion.addresses import MAX_URL
from domain.ingestion.sensitive import SensitiveKind
from domain.ports.documents import Receipt
from entrypoints.api.routes.documents import SourceWish
from entrypoints.api.sign_in import App, Caller

Treated = Literal["redact", "quarantine", "allow"]


class TreatmentsWish(msgspec.Struct, forbid_unknown_fields=True):
    """Kind to treatment, in place of what the scope said; a kind that is left out is treated as around the scope."""

    treatments: dict[SensitiveKind, Treated]


class FetchWish(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A public address. The source is ``web``, of tier 4, unless another is named; the address names the record."""

    url: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_URL)]
    source: SourceWish = msgspec.field(default_factory=lambda: SourceWish("web", "research"))
    record_key: str | None = None
    title: str | None = None
    collection: str | None = None


@get("/sensitive", tags=["sources"])
async def treatments(app: App, access: Caller) -> Treatments:
    """What becomes of each kind of secret and personal data that comes in here."""
    return await app.ingestion.treat_sensitive.present(access)


@put("/sensitive", tags=["sources"])
async def treat(app: App, access: Caller, data: JSONBody[TreatmentsWish]) -> Treatments:
    """Say what becomes of them in this scope: redact, quarantine (a person decides first) or allow."""
    stated = {kind.value: treated for kind, treated in data.treatments.items()}
    return await app.ingestion.treat_sensitive(access, stated)


@post("/documents/fetch", status_code=202, tags=["documents"])
async def fetch(app: App, access: Caller, data: JSONBody[FetchWish]) -> Receipt:
    """Take in one page or file of a public address; only hosts that whoever runs Assay allowed are asked."""
    wish = PageWish(data.url, data.source.spec(), data.record_key, data.title, data.collection)
    return await app.ingestion.fetch_document(access, wish)
