from __future__ import annotations

from collections import Counter

import pytest

from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.predicate import Cardinality, PredicatePolicy, Succession, Vocabulary, predicate_name

VOCABULARY = Vocabulary.of(CORE_VOCABULARY)
JUNK = {"IS_ABOUT", "KEY_POINT", "RESEARCH_FINDING", "RELATES_TO", "HAS_ASPECT", "MENTIONED_IN", "DISCUSSED", "NOTED"}


def by_name(name: str) -> PredicatePolicy:
    return VOCABULARY.policies[name]


def test_no_name_and_no_synonym_is_claimed_twice() -> None:
    names = [p.name for p in CORE_VOCABULARY]
    stated = [predicate_name(s) for p in CORE_VOCABULARY for s in p.synonyms]
    assert [name for name, n in Counter(names).items() if n > 1] == []
    assert [name for name, n in Counter(stated).items() if n > 1] == []
    assert sorted(set(names) & set(stated)) == []


@pytest.mark.parametrize("policy", CORE_VOCABULARY, ids=lambda p: p.name)
def test_every_synonym_resolves_to_its_policy(policy: PredicatePolicy) -> None:
    assert [s for s in (policy.name, *policy.synonyms) if VOCABULARY.policy(s) != policy] == []


@pytest.mark.parametrize("policy", [p for p in CORE_VOCABULARY if p.inverse_of], ids=lambda p: p.name)
def test_every_inverse_turns_to_a_canonical_predicate(policy: PredicatePolicy) -> None:
    reading = VOCABULARY.read(policy.name)
    assert reading.canonical.name == policy.inverse_of
    assert reading.canonical in CORE_VOCABULARY
    assert reading.canonical.inverse_of is None
    assert reading.inverted


def test_a_canonical_predicate_has_one_inverse() -> None:
    inverses = Counter(p.inverse_of for p in CORE_VOCABULARY if p.inverse_of)
    assert [name for name, n in inverses.items() if n > 1] == []


def test_a_symmetric_predicate_is_many_valued_and_has_no_inverse() -> None:
    symmetric = [p for p in CORE_VOCABULARY if p.symmetric]
    assert {p.name for p in symmetric} == {
        "MARRIED_TO", "PARTNER_OF", "COMPETES_WITH", "MERGED_WITH", "CONTRADICTS",
    }  # fmt: skip
    assert {p.cardinality for p in symmetric} == {Cardinality.MANY}
    assert not {p.name for p in symmetric} & {p.inverse_of for p in CORE_VOCABULARY}


def test_no_core_predicate_is_one_that_ingestion_refuses_as_junk() -> None:
    assert not JUNK & {p.name for p in CORE_VOCABULARY}


@pytest.mark.parametrize("policy", CORE_VOCABULARY, ids=lambda p: p.name)
def test_a_phrase_reads_between_subject_and_object(policy: PredicatePolicy) -> None:
    phrase = policy.phrase or ""
    first, *rest = phrase.split(" ")
    verbs = ("is", "was", "has", "takes", "mentions", "lasted", "wrote", "died")
    finite = first in verbs or (first.endswith(("s", "ed")) and first == first.lower())
    assert finite, phrase
    assert phrase == " ".join([first, *rest]).strip()
    assert "_" not in phrase
    assert not phrase.endswith((".", ","))
    dangling = first in {"is", "was"} and not rest
    assert not dangling


@pytest.mark.parametrize(
    ("name", "cardinality", "succession"),
    [
        ("FOUNDED_BY", Cardinality.MANY, Succession.BY_START),
        ("HEADQUARTERED_IN", Cardinality.ONE, Succession.BY_START),
        ("HAS_CEO", Cardinality.ONE, Succession.BY_START),
        ("HAS_CTO", Cardinality.ONE, Succession.BY_START),
        ("HAS_CISO", Cardinality.ONE, Succession.BY_START),
        ("BORN_ON", Cardinality.ONE, Succession.NEVER),
        ("HAS_STATUS", Cardinality.ONE, Succession.BY_OBSERVATION),
        ("HAS_REVENUE", Cardinality.ONE, Succession.BY_OBSERVATION),
        ("OWNS", Cardinality.MANY, Succession.BY_START),
        ("DEPENDS_ON", Cardinality.MANY, Succession.BY_START),
        ("SUPERSEDES", Cardinality.MANY, Succession.BY_START),
        ("ALIAS_OF", Cardinality.MANY, Succession.BY_START),
    ],
)
def test_policies_follow_the_world(name: str, cardinality: Cardinality, succession: Succession) -> None:
    assert (by_name(name).cardinality, by_name(name).succession) == (cardinality, succession)


def test_status_is_one_an_environment_and_financial_amounts_are_one_a_period() -> None:
    assert by_name("HAS_STATUS").qualifiers == ("environment",)
    for name in ("HAS_REVENUE", "HAS_NET_INCOME", "HAS_TOTAL_ASSETS", "HAS_BUDGET", "HAS_COST"):
        assert by_name(name).qualifiers == ("period",)


@pytest.mark.parametrize(
    ("stated", "name"),
    [
        ("foundedBy", "FOUNDED_BY"),
        ("is headquartered in", "HEADQUARTERED_IN"),
        ("based in", "HEADQUARTERED_IN"),
        ("has its seat in", "HEADQUARTERED_IN"),
        ("isOwnedBy", "OWNED_BY"),
        ("status", "HAS_STATUS"),
        ("depends on", "DEPENDS_ON"),
        ("e-mail", "HAS_EMAIL"),
        ("totalAssets", "HAS_TOTAL_ASSETS"),
        ("chief financial officer", "HAS_CFO"),
        ("is the CISO of", "CISO_OF"),
        ("effective from", "EFFECTIVE_ON"),
        ("publisher", "PUBLISHED_BY"),
    ],
)
def test_stated_forms_find_their_policy(stated: str, name: str) -> None:
    assert VOCABULARY.policy(stated).name == name


def test_an_unknown_predicate_is_many_valued_and_unreviewed() -> None:
    policy = VOCABULARY.policy("has compounding value vs")
    assert (policy.name, policy.cardinality, policy.reviewed) == ("HAS_COMPOUNDING_VALUE_VS", Cardinality.MANY, False)
