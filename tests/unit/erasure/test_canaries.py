"""How names and words are looked for."""

from __future__ import annotations

from uuid import UUID

import pytest

from domain.erasure.canaries import KnownName, checked_spellings, names_sought, words_sought
from domain.erasure.naming import ChoiceNeeded, NamingChoice, NamingDocument, NamingPlan
from domain.errors import InvalidInput
from domain.identity.ids import DocumentId, GroupId


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ada Byron wrote.", ["Ada Byron"]),
        ("ADA BYRON and ada-byron.txt", ["ADA BYRON", "ada-byron"]),
        ("Ada\nByron's, Ada Byrons", ["Ada\nByron's", "Ada Byrons"]),
        ("ADA_BYRON_OF", ["ADA_BYRON"]),
        ("Canada Byron, Ada Byronesque, AdaByron, Ada of Byron", []),
        ("Ada Byron is here", ["Ada Byron"]),
    ],
)
def test_a_name_is_found_as_words_of_its_own_whatever_stands_between_them(text: str, found: list[str]) -> None:
    sought = names_sought(["Ada Byron"])
    assert sought is not None
    assert sought.expression.findall(text) == found


def test_composed_and_decomposed_accents_are_the_same() -> None:
    sought = names_sought(["H\u00e0 N\u1ed9i"])
    assert sought is not None
    assert sought.expression.search("in Ha\u0300 No\u0323\u0302i") is not None
    assert sought.expression.search("in Ha Noi") is None


def test_the_longer_of_two_names_is_taken_whole() -> None:
    sought = names_sought(["Ada", "Ada Byron", "(Ada)"])
    assert sought is not None
    assert sought.expression.findall("Ada Byron, Ada") == ["Ada Byron", "Ada"]


def test_there_is_nothing_to_look_for_without_letters() -> None:
    assert names_sought(["", "...", "  "]) is None
    assert words_sought([]) is None


def test_words_are_found_inside_of_others_and_as_they_are_written() -> None:
    sought = words_sought(["a.b", "quax"])
    assert sought is not None
    assert sought.expression.findall("QUAXOLOTL a.b axb") == ["QUAX", "a.b"]


def test_a_name_that_others_have_or_that_is_short_is_not_looked_for_everywhere() -> None:
    assert KnownName("Ada", False).everywhere
    assert not KnownName("Ada", True).everywhere
    assert not KnownName("C++", False).everywhere


def test_spellings_are_trimmed_and_bounded() -> None:
    assert checked_spellings([" A. Byron "]) == ("A. Byron",)
    for unfit in (["ab"], ["--- a"], ["x" * 201], ["abc"] * 21):
        with pytest.raises(InvalidInput):
            checked_spellings(unfit)


def test_documents_are_split_by_the_choice_which_has_to_be_made() -> None:
    own, shared = DocumentId(UUID(int=1)), DocumentId(UUID(int=2))
    here = GroupId("w")
    plan = NamingPlan(
        [KnownName("Ada", False)], [NamingDocument(own, here, "", True), NamingDocument(shared, here, "", False)]
    )
    assert plan.split(NamingChoice.ERASE_OWN) == ([own], [shared])
    assert plan.split(NamingChoice.ERASE) == ([own, shared], [])
    assert plan.split(NamingChoice.BLACK_OUT) == ([], [own, shared])
    with pytest.raises(ChoiceNeeded):
        plan.split(None)
    assert NamingPlan(plan.names, []).split(None) == ([], [])
