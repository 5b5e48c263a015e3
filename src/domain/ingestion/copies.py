"""Which passages are copies of each other, and what makes assertions count once.

Each line is a test of its own (``test_k1_…``) in ``tests/unit/ingestion/test_copies.py``.

====  =================================================================================================================
Rule  What it says
====  =================================================================================================================
K1    What an agent writes has the agent's key: all of it is one source, and no passage of it is compared.
K2    A document that declares the original that it is a copy of has the key of that address, as a whole.
K3    A passage that is nearly the same as one that is known already in the scope has the key of the most alike one;
      of those that are as alike, that of the first. Of a document's versions the newest that has the passage is asked.
      What a former version of the same document declared holds no longer.
K4    Any other passage has its document's key: that of its address, where it has one that names it for everybody (not a
      ``file:``), else that of its source and content.
K5    A passage is the paragraph that holds the evidence. One of fewer than 50 words goes on into what follows until it
      has 50 of them; at the end of a text, it begins so much earlier.
K6    A text of fewer than 50 words is not compared with anything: short sentences are alike by chance.
K7    Two passages are alike by the share of runs of three words that they have in common, in any case and punctuation;
      each letter of a script without spaces between words counts as a word.
====  =================================================================================================================
"""

from __future__ import annotations

import hmac
import re
import struct
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

import numpy as np

from domain.errors import InvalidInput, shown
from domain.identity.ids import DocumentId, SketchId, VersionId
from domain.ingestion.naming import require_address
from domain.ingestion.spans import Span, paragraphs

COPY_LIKENESS = 0.75
"""How alike two passages are from which they count once."""
MIN_WORDS = 50
RUN = 3
"""Words of a run."""
BANDS, ROWS = 20, 6
"""Passages of which a band of rows is equal are compared: of pairs that are alike by 0.75 that is so for 98 of 100."""
SKETCH_SIZE = BANDS * ROWS
"""Numbers of a sketch."""
MAX_ORIGIN = 2_000

_UNSPACED = (
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf"
    r"\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_WORD = re.compile(rf"{_UNSPACED}|(?:(?!{_UNSPACED})\w)+")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")
_OWN = ("file", "data", "blob", "about")
"""Schemes that name something to one machine only."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """A passage that is compared, [start, end) in code points of its version's text.

    ``content`` are the ``SKETCH_SIZE`` numbers of 4 bytes that its likeness to another is estimated by. ``copy_of`` is
    the document that it was found to be like, by ``likeness``; None for a passage of its own.
    """

    id: SketchId
    version_id: VersionId
    document_id: DocumentId
    start: int
    end: int
    content: bytes
    independence_key: str
    copy_of: DocumentId | None = None
    likeness: float | None = None


def words(text: str) -> list[str]:
    """The words of a text as they are compared: without case, accents composed, no punctuation."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def runs(text: str) -> set[str]:
    """The runs of three words of a text; none for one that is too short to be compared (K6)."""
    found = words(text)
    if len(found) < MIN_WORDS:
        return set()
    return {" ".join(found[at : at + RUN]) for at in range(len(found) - RUN + 1)}


def passages_around(text: str, places: Iterable[int]) -> dict[int, Span]:
    """The passage for each place of evidence, in code points (K5). A place in no paragraph has none."""
    wanted = sorted(set(places))
    found: dict[int, Span] = {}
    made: dict[Span, Span] = {}
    blocks = iter(paragraphs(text))
    block = next(blocks, None)
    for place in wanted:
        while block is not None and block.end <= place:
            block = next(blocks, None)
        if block is None or place < block.start:
            continue
        if block not in made:
            made[block] = _lengthened(text, block)
        found[place] = made[block]
    return found


def _lengthened(text: str, block: Span) -> Span:
    missing = MIN_WORDS - _count(block.of(text))
    if missing <= 0:
        return block
    end = block.end
    for word in _WORD.finditer(text, block.end):
        end, missing = word.end(), missing - 1
        if missing == 0:
            return Span(block.start, end)
    before = [word.start() for word in _WORD.finditer(text, 0, block.start)]
    return Span(before[-missing] if len(before) >= missing else (before or [block.start])[0], end)


def _count(text: str) -> int:
    return sum(1 for _ in _WORD.finditer(text))


def likeness(a: bytes, b: bytes) -> float:
    """The estimate of the share of runs that two passages have in common, 0 to 1, by their sketches.

    Its standard error is at most 0.046. 0 for sketches of different sizes.
    """
    if len(a) != len(b) or not a:
        return 0.0
    return float(np.mean(np.frombuffer(a, "<u4") == np.frombuffer(b, "<u4")))


def bands(content: bytes, scheme: str, scope: str, key: bytes) -> list[int]:
    """What passages are found by: HMACs under the organization's key, as signed 64-bit numbers."""
    width = ROWS * 4
    return [
        struct.unpack(">q", _hmac(key, "band", scheme, scope, str(n), content[n * width : (n + 1) * width])[:8])[0]
        for n in range(BANDS)
    ]


def most_alike(content: bytes, known: Sequence[Sketch], threshold: float) -> tuple[Sketch, float] | None:
    """The known passage that this one is a copy of, and how alike they are (K3); None when none is alike enough."""
    newest: dict[DocumentId, VersionId] = {}
    for other in known:
        newest[other.document_id] = max(other.version_id, newest.get(other.document_id, other.version_id))
    rated = [(likeness(content, s.content), s) for s in known if s.version_id == newest[s.document_id]]
    alike = [each for each in rated if each[0] >= threshold]
    if not alike:
        return None
    value, other = min(alike, key=lambda each: (-each[0], each[1].id))
    return other, value


def holds_no_longer(former: Sketch, document_key: str) -> bool:
    """Whether a passage of a former version has the key of an address that the document no longer has or declares."""
    key = former.independence_key
    return former.copy_of is None and key.startswith("address:") and key != document_key


def checked_origin(uri: str) -> str:
    """A declared original's address as it is kept. Raises InvalidInput for what is none."""
    given = uri.strip()
    if len(given) > MAX_ORIGIN or not _ADDRESS.fullmatch(given):
        raise InvalidInput(
            f"origin is the address of the original, such as https://example.org/article, not {shown(uri)}",
            field="origin",
        )
    require_address(given, "origin")
    return given


def address_key(uri: str | None, key: bytes) -> str | None:
    """The independence key of an address that names one thing for everybody; None for anything else (K2, K4).

    ``http`` and ``https``, the case of the host, a fragment and a slash at the end make no difference.
    """
    if uri is None or not _ADDRESS.fullmatch(uri.strip()):
        return None
    try:
        parts = urlsplit(uri.strip())
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if scheme in _OWN:
        return None
    scheme = "https" if scheme == "http" else scheme
    normal = urlunsplit((scheme, parts.netloc.lower(), parts.path.rstrip("/"), parts.query, ""))
    return f"address:{_hmac(key, 'address', normal).hex()[:32]}"


def content_key(source: str, content_hash: str, key: bytes) -> str:
    """The independence key of a text by its source and content. It can be shared, and so tells nothing of either."""
    return f"content:{_hmac(key, 'content', source, content_hash).hex()[:32]}"


def _hmac(key: bytes, *parts: str | bytes) -> bytes:
    message = b""
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        message += b"%d:%s" % (len(content), content)
    return hmac.digest(key, b"assay independence " + message, "sha256")
