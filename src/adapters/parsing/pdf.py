"""PDF: the text layer, page by page."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO

import structlog
from pypdf import PdfReader

from adapters.parsing.text import normalized, storable
from domain.errors import DocumentUnreadable
from domain.ingestion.parsed import ParsedDocument, ParseProblem

_log = structlog.get_logger(__name__)
_complaints: ContextVar[list[str] | None] = ContextVar("pdf_complaints", default=None)
_COMPLAINTS_KEPT = 3


def parse_pdf(data: bytes) -> ParsedDocument:
    """The text of all pages with a blank line between them; the title is the metadata's.

    A page that cannot be read is a problem and the others land. Raises DocumentUnreadable for a PDF that is cut,
    encrypted or has no text layer.
    """
    with _collected_complaints():
        reader = _opened(data)
        pages, problems = _page_texts(reader)
        title = _title(reader)
    text = "\n\n".join(page for page in pages if page)
    if not text and not problems:
        raise DocumentUnreadable(
            f"The PDF has no text on its {len(pages)} pages: it is empty or scanned. Run text recognition (OCR) first."
        )
    if not text:
        raise DocumentUnreadable(f"No page of the PDF can be read. {problems[0].message}")
    return ParsedDocument(text=text, title=title, problems=tuple(problems))


def _opened(data: bytes) -> PdfReader:
    if b"%PDF-" not in data[:1024]:
        raise DocumentUnreadable("The document does not begin as a PDF does ('%PDF-'). Check the file and its type.")
    try:
        reader = PdfReader(BytesIO(data))
        locked = reader.is_encrypted and not reader.decrypt("")
        pages = 0 if locked else len(reader.pages)
    except Exception as error:  # hostile bytes make pypdf raise nearly anything
        raise DocumentUnreadable(
            f"The PDF is cut or corrupt ({type(error).__name__}). Export or download it again."
        ) from error
    if locked:
        raise DocumentUnreadable("The PDF is encrypted with a password. Remove the password and submit it again.")
    if not pages:
        raise DocumentUnreadable("The PDF has no pages: it is empty or cut. Export or download it again.")
    return reader


def _page_texts(reader: PdfReader) -> tuple[list[str], list[ParseProblem]]:
    texts: list[str] = []
    problems: list[ParseProblem] = []
    for number in range(len(reader.pages)):
        try:
            texts.append(normalized(storable(reader.pages[number].extract_text())).strip())
        except Exception as error:  # as above; one bad page must not lose the others
            message = f"Page {number + 1} cannot be read ({type(error).__name__}); it is missing from the text."
            problems.append(ParseProblem(where=f"page {number + 1}", code="page_unreadable", message=message))
    return texts, problems


def _title(reader: PdfReader) -> str | None:
    try:
        title = reader.metadata.title if reader.metadata else None
    except Exception:  # as above; a document without a title is still a document
        return None
    return " ".join(normalized(storable(str(title))).split()) or None if title else None


class _Collector(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        collected = _complaints.get()
        if collected is not None:
            collected.append(record.getMessage())


_logger = logging.getLogger("pypdf")
_logger.addHandler(_Collector())
_logger.propagate = False


@contextmanager
def _collected_complaints() -> Iterator[None]:
    """Log what pypdf has to say about one document in one line instead of one a broken object."""
    collected: list[str] = []
    token = _complaints.set(collected)
    try:
        yield
    finally:
        _complaints.reset(token)
        if collected:
            _log.info("pdf_repaired", complaints=len(collected), first=collected[:_COMPLAINTS_KEPT])
