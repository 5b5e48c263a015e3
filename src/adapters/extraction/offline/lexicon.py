"""The words that the rules know: verbs, nouns and prepositions, and the predicates that they mean."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("lexicon.json")


@dataclass(frozen=True, slots=True)
class Meaning:
    """A predicate; ``inverse`` says that subject and object change places."""

    predicate: str
    inverse: bool = False


@dataclass(frozen=True, slots=True)
class Lexicon:
    """``verbs`` is keyed by lemma, then by slot: object, oprd, xcomp, date or a preposition.

    ``nouns`` reads "Y's noun is X" as (Y, predicate, X). ``events`` are predicates that begin at a stated date and go
    on; ``timeless`` ones take no valid time. ``kinds`` are the kinds of subject and object where one is certain.
    ``fields`` gives the predicate and the form of a "Key: value" line.
    """

    version: str
    verbs: Mapping[str, Mapping[str, Meaning]]
    nouns: Mapping[str, Meaning]
    adjectives: Mapping[str, Meaning]
    be: Mapping[str, Meaning]
    fields: Mapping[str, tuple[Meaning, str]]
    kinds: Mapping[str, tuple[str | None, str | None]]
    things: Mapping[str, str]
    descriptions: Mapping[str, str]
    words: Mapping[str, frozenset[str]]

    def has(self, group: str, word: str) -> bool:
        """Whether the word belongs to a group, for example ``opinion``."""
        return word in self.words[group]

    def is_title(self, word: str) -> bool:
        """Whether the word is a title that stands before a name ("CEO Dana Whitfield")."""
        return word in self.words["titles"]


def _meaning(stated: str) -> Meaning:
    return Meaning(stated.removeprefix("-"), stated.startswith("-"))


def _load(raw: Mapping[str, Any], digest: str) -> Lexicon:
    groups = {name: frozenset(value) for name, value in raw.items() if isinstance(value, list)}
    groups["plain_headings"] = groups["action_headings"] | groups["field_subject_headings"] | frozenset(raw["fields"])
    verbs = {
        lemma: {slot: _meaning(stated) for slot, stated in slots.items()}
        for lemmas, slots in raw["verbs"].items()
        for lemma in lemmas.split()
    }
    nouns = {noun: _meaning(stated) for names, stated in raw["nouns"].items() for noun in names.split("|")}
    return Lexicon(
        version=f"{raw['version']}.{digest[:8]}",
        verbs=verbs,
        nouns=nouns,
        adjectives={words: _meaning(stated) for words, stated in raw["adjectives"].items()},
        be={words: _meaning(stated) for words, stated in raw["be"].items()},
        fields={key: (_meaning(stated), form) for key, (stated, form) in raw["fields"].items()},
        kinds={predicate: (pair[0], pair[1]) for predicate, pair in raw["kinds"].items()},
        things=raw["things"],
        descriptions=raw["descriptions"],
        words=groups,
    )


def load_lexicon(path: Path = _FILE) -> Lexicon:
    """The lexicon in a file; its version ends in the content's digest, since it is part of an extraction's recipe."""
    content = path.read_bytes()
    return _load(json.loads(content), sha256(content).hexdigest())


LEXICON = load_lexicon()
