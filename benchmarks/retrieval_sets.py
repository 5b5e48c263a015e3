"""Public retrieval sets in one shape, subsampled with a fixed seed."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.bm25 import folded

SEED = 20
TURN = re.compile(r"D\d+:\d+")


@dataclass(frozen=True, slots=True)
class Triple:
    """A shipped triple and the number of the passage that it was drawn from."""

    passage: int
    subject: str
    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """Passages, and questions with the numbers of the passages that answer them; triples where the set ships them."""

    name: str
    passages: list[str]
    questions: list[tuple[str, frozenset[int]]]
    triples: list[Triple] = field(default_factory=list)


def retrieval_sets(data: Path, questions: int) -> Iterator[RetrievalSet]:
    """LoCoMo (two conversations), MuSiQue, XQuAD; at most ``questions`` questions a set."""
    yield from _locomo(data / "locomo" / "locomo_dev.json.gz", questions)
    yield _musique(data / "multihop", questions)
    yield from _xquad(data / "xquad", questions)


def _read(path: Path) -> Any:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return json.load(lines)


def _sampled(items: list[Any], count: int) -> list[Any]:
    return items if len(items) <= count else random.Random(SEED).sample(items, count)


def _locomo(path: Path, questions: int) -> Iterator[RetrievalSet]:
    """A passage is a turn with its previous turn; answerable questions only."""
    for conversation in _read(path)[:2]:
        passages: list[str] = []
        numbers: dict[str, int] = {}
        sessions = conversation["conversation"]
        names = [name for name in sessions if re.fullmatch(r"session_\d+", name)]
        for name in names:
            previous = ""
            for turn in sessions[name]:
                said = f"{turn['speaker']}: {turn['text']}"
                numbers[turn["dia_id"]] = len(passages)
                passages.append(f"{previous}\n{said}".strip())
                previous = said
        asked = []
        for question in conversation["qa"]:
            found = {numbers[turn] for text in question["evidence"] for turn in TURN.findall(text) if turn in numbers}
            if question["category"] != 5 and found:
                asked.append((question["question"], frozenset(found)))
        yield RetrievalSet(f"locomo {conversation['sample_id']}", passages, _sampled(asked, questions // 2))


def _musique(folder: Path, questions: int) -> RetrievalSet:
    """The passages of the sampled questions together: each question has twenty, two to four of them supporting."""
    passages: dict[str, int] = {}
    asked = []
    for question in _sampled(_read(folder / "musique_train.json.gz"), min(questions, 40)):
        supporting = set()
        for paragraph in question["paragraphs"]:
            number = passages.setdefault(f"{paragraph['title']}\n{paragraph['paragraph_text']}", len(passages))
            if paragraph["is_supporting"]:
                supporting.add(number)
        asked.append((question["question"], frozenset(supporting)))
    return RetrievalSet("musique", list(passages), asked, list(_triples(folder, passages)))


def _triples(folder: Path, passages: dict[str, int]) -> Iterator[Triple]:
    """What a language model drew from the passages: silver, not gold."""
    path = folder / "openie_musique_gpt35_1890.json.gz"
    for document in _read(path)["docs"] if path.exists() else []:
        number = passages.get(document["passage"])
        for triple in document["extracted_triples"]:
            if number is not None and len(triple) == 3 and all(str(part).strip() for part in triple):
                yield Triple(number, *(str(part).strip()[:400] for part in triple))


def _xquad(folder: Path, questions: int) -> Iterator[RetrievalSet]:
    read = {}
    for language in ("en", "vi"):
        articles = _read(folder / f"xquad_dev.{language}.json.gz")
        paragraphs = [paragraph for article in articles.get("data", articles) for paragraph in article["paragraphs"]]
        asked = [
            (question["question"], frozenset({number}))
            for number, paragraph in enumerate(paragraphs)
            for question in paragraph["qas"]
        ]
        read[language] = ([paragraph["context"] for paragraph in paragraphs], _sampled(asked, questions))
    (english, _), (vietnamese, vietnamese_asked) = read["en"], read["vi"]
    yield RetrievalSet("xquad en", *read["en"])
    yield RetrievalSet("xquad vi", vietnamese, vietnamese_asked)
    unaccented = [(folded(question), answers) for question, answers in vietnamese_asked]
    yield RetrievalSet("xquad vi, typed without accents", vietnamese, unaccented)
    yield RetrievalSet("xquad vi asks en", english, vietnamese_asked)
