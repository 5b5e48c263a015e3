"""Measures the offline extractor: quality on CaRB and the forty sentences, speed with one and two processes.

python -m benchmarks.extraction [--carb FOLDER] [--text FILES...] [--workers 1 2]
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import UUID

import spacy
from spacy.tokens import Doc, Token

from adapters.extraction.offline.extractor import DEFAULT_PIPELINE, OfflineExtractor
from adapters.extraction.offline.pipeline import read_windows
from adapters.extraction.offline.reader import sentence_statements
from adapters.extraction.offline.statements import Place
from benchmarks import carb, forty_sentences
from domain.identity.ids import GroupId, OrganizationId
from domain.ingestion.claims import ExtractionWindow
from domain.knowledge.assertion import Claim, Mention
from domain.knowledge.predicate import Vocabulary
from domain.knowledge.wording import describe

_CLAUSES = frozenset({"relcl", "acl", "appos", "conj", "cc", "advcl", "punct", "preconj"})
_ORGANIZATION, _GROUP = OrganizationId(UUID(int=1)), GroupId("o_" + "0" * 32)
_WINDOW, _STEP = 2_000, 1_900


def open_tuples(doc: Doc) -> Iterator[carb.Tuple]:
    """The statements of a text in its own words, named or not: what open information extraction asks for."""
    seen = set()
    for sentence in doc.sents:
        for statement in sentence_statements(sentence, []):
            subject, relation, target = statement.spoken
            found = (relation, _words(subject, doc), _words(target, doc))
            if found not in seen:
                seen.add(found)
                yield found


def _words(place: Place, doc: Doc) -> str:
    if not isinstance(place, Token):
        return str(doc[place.first : place.last + 1].text)
    kept = [token for token in place.subtree if not _cut(token, place)]
    return " ".join(token.text for token in kept)


def _cut(token: Token, head: Token) -> bool:
    while token != head:
        if token.dep_ in _CLAUSES and token.text not in ("-", "%", "$", "'"):
            return True
        token = token.head
    return False


def claim_tuple(claim: Claim, vocabulary: Vocabulary) -> carb.Tuple:
    """A claim as a sentence would say it."""
    target = claim.object.surface if isinstance(claim.object, Mention) else describe(claim.object)
    return vocabulary.policy(claim.predicate).words, claim.subject.surface, target


def measure_carb(folder: Path) -> None:
    """Prints precision, recall and F1 of the open reading and of the claims that are kept."""
    gold = carb.load_gold(folder / "gold_dev.tsv")
    nlp = spacy.load(DEFAULT_PIPELINE)
    texts = list(gold)
    reading = {text: list(open_tuples(doc)) for text, doc in zip(texts, nlp.pipe(texts), strict=True)}
    _print("CaRB dev, open reading", carb.score(gold, reading))
    extractions = read_windows(DEFAULT_PIPELINE, [ExtractionWindow(text, 0) for text in texts])
    core = forty_sentences.CORE
    kept = {t: [claim_tuple(s.claim, core) for s in e.claims] for t, e in zip(texts, extractions, strict=True)}
    _print("CaRB dev, claims of named things", carb.score(gold, kept))


def _print(name: str, result: carb.CarbScore) -> None:
    print(
        f"{name}: {result.sentences} sentences, {result.gold} gold, {result.predicted} predicted, "
        f"P {result.precision:.3f} R {result.recall:.3f} F1 {result.f1:.3f}"
    )


def measure_forty() -> None:
    """Prints precision, recall and attributes on both sets of sentences, with what was missed and what was extra."""
    for name, path in (("forty sentences", forty_sentences.GOLD), ("twenty more sentences", forty_sentences.TWENTY)):
        _measure_sentences(name, path)


def _measure_sentences(name: str, path: Path) -> None:
    sentences = forty_sentences.load(path)
    result = forty_sentences.score(sentences, read_windows(DEFAULT_PIPELINE, forty_sentences.windows(sentences)))
    print(
        f"{name}: {result.found + len(result.missed)} gold, {result.found + len(result.extra)} predicted, "
        f"P {result.precision:.3f} R {result.recall:.3f} F1 {result.f1:.3f}; "
        f"attributes {result.details - len(result.wrong)} of {result.details} right"
    )
    for what, lines in (("missed", result.missed), ("extra", result.extra), ("wrong", result.wrong)):
        for line in lines:
            print(f"  {what}: {line}")


async def measure_speed(files: Sequence[Path], workers: int) -> None:
    """Prints words a second over the files, processes already warm."""
    texts = [path.read_text(encoding="utf-8") for path in files]
    windows = [ExtractionWindow(t[at : at + _WINDOW], at) for t in texts for at in range(0, len(t), _STEP)]
    extractor = OfflineExtractor(workers=workers)
    try:
        warm = windows[: max(1, workers) * 4]
        await extractor.extract(warm, organization_id=_ORGANIZATION, group_id=_GROUP)
        started = time.perf_counter()
        found = await extractor.extract(windows, organization_id=_ORGANIZATION, group_id=_GROUP)
        seconds = time.perf_counter() - started
    finally:
        await extractor.aclose()
    words = sum(len(window.text.split()) for window in windows)
    print(
        f"{workers} process(es): {len(files)} files, {words} words, {sum(len(e.claims) for e in found)} claims, "
        f"{seconds:.1f} s, {words / seconds:.0f} words/s"
    )


def main() -> None:
    """Runs what the arguments name; a data folder that is missing is said and left out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--carb", type=Path, help="folder with gold_dev.tsv")
    parser.add_argument("--text", type=Path, nargs="*", default=[], help="text files to measure speed on")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    arguments = parser.parse_args()
    measure_forty()
    if arguments.carb is None or not (arguments.carb / "gold_dev.tsv").is_file():
        print(f"CaRB left out: no gold_dev.tsv in {arguments.carb}; name its folder with --carb")
    else:
        measure_carb(arguments.carb)
    files = [path for path in arguments.text if path.is_file()]
    for workers in arguments.workers if files else []:
        asyncio.run(measure_speed(files, workers))
    if not files:
        print("speed left out: name text files with --text")


if __name__ == "__main__":
    main()
