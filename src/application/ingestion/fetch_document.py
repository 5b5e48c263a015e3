"""Taking in one page or file from the web, by its address."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from application.ingestion.sources import SourceSpec
from application.ingestion.submission import DocumentSubmission
from application.ingestion.submit_document import SubmitDocument
from domain.identity.access import Access
from domain.identity.permissions import Action, permit
from domain.ports.documents import Receipt
from domain.ports.fetcher import Fetcher

WEB = SourceSpec("web", "research")
"""Where pages come from unless another source is named: tier 4, so that a person looks at them first."""


@dataclass(frozen=True, slots=True)
class PageWish:
    """An address, and what is known of what is there; the address itself names the record unless it is given."""

    url: str
    source: SourceSpec = WEB
    record_key: str | None = None
    title: str | None = None
    collection: str | None = None


class FetchDocument:
    """Fetches a document and submits it.

    - Only public addresses of allowed hosts are asked, and none unless whoever runs Assay allows some.
    - What comes is a document as any: it is screened, gated by its source's tier, and kept with its address.
    """

    def __init__(self, fetcher: Fetcher, submit: SubmitDocument) -> None:
        self._fetcher = fetcher
        self._submit = submit

    async def __call__(self, access: Access, wish: PageWish) -> Receipt:
        """Raises AddressRefused, what submitting raises, and Unavailable when the server does not give it."""
        permit(access, Action.SUBMIT)
        fetched = await self._fetcher.fetch(wish.url)
        submission = DocumentSubmission(
            data=fetched.data,
            source=wish.source,
            record_key=wish.record_key or wish.url,
            content_type=fetched.content_type.partition(";")[0].strip(),
            filename=PurePosixPath(urlsplit(fetched.url).path).name or None,
            title=wish.title,
            source_uri=fetched.url,
            collection=wish.collection,
        )
        return await self._submit(access, submission)
