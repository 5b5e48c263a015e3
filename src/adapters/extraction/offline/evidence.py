"""The literal excerpt that shows a claim."""

from __future__ import annotations

from spacy.tokens import Span, Token

from adapters.extraction.offline.plain import PlainText
from adapters.extraction.offline.statements import Statement
from domain.knowledge.assertion import MAX_EXCERPT


def excerpt_span(
    statement: Statement, sentence: Span, plain: PlainText, opening: int | None = None
) -> tuple[int, int] | None:
    """Offsets in the window: the sentence, else the clause, else the words between; None when all are too long.

    ``opening`` is where the time of a log's line stands, which is taken in where there is room.
    """
    first, last = _ends(statement)
    narrow = sentence.doc[first : last + 1]
    candidates = [sentence, narrow]
    if statement.clause is not None:
        clause = [t.i for t in statement.clause.verb.subtree]
        candidates.insert(1, sentence.doc[min(first, *clause) : max(last, *clause) + 1])
    for span in candidates:
        start, end = plain.to_window(span.start_char, span.end_char)
        if opening is not None and end - opening <= MAX_EXCERPT:
            return opening, end
        if end - start <= MAX_EXCERPT:
            return start, end
    return None


def _ends(statement: Statement) -> tuple[int, int]:
    """The first and last token of subject, verb and object."""
    place = statement.object
    firsts = [place.left_edge.i if isinstance(place, Token) else place.first, statement.subject.left_edge.i]
    lasts = [place.i if isinstance(place, Token) else place.last, statement.subject.i]
    if statement.clause is not None:
        firsts.append(statement.clause.verb.i)
        lasts.append(statement.clause.verb.i)
    return min(firsts), max(lasts)
