from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from application.knowledge.change_vocabulary import affected
from domain.errors import InvalidInput
from domain.identity.ids import EntityId
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.objects import DateValue, EntityRef, NumberValue, TextValue, TypedObject
from domain.knowledge.predicate import Cardinality, PredicatePolicy, Vocabulary
from domain.knowledge.time import Precision
from domain.retrieval.directions import stored_directions
from domain.standing.place import Placement, literal_key, place

KEY = bytes(range(32))
ACME, JANE, KIM = (EntityId(UUID(int=n)) for n in (1, 2, 3))
VOCABULARY = Vocabulary.of(CORE_VOCABULARY)


def placed(
    subject: EntityId,
    predicate: str,
    value: TypedObject | EntityId,
    key: bytes = KEY,
    vocabulary: Vocabulary = VOCABULARY,
    **qualifiers: str,
) -> Placement:
    obj: TypedObject = EntityRef(EntityId(value)) if isinstance(value, UUID) else value
    return place(subject, predicate, obj, qualifiers, vocabulary, key)


def test_an_inverse_turns_to_the_canonical_direction() -> None:
    stated, canonical = placed(JANE, "CEO of", ACME), placed(ACME, "hasCeo", JANE)
    assert (stated.subject, stated.predicate, stated.object) == (ACME, "HAS_CEO", EntityRef(JANE))
    assert (stated.inverted, canonical.inverted) == (True, False)
    assert (stated.fact_key, stated.slot_key) == (canonical.fact_key, canonical.slot_key)


def test_an_inverse_with_a_literal_object_stays_as_stated() -> None:
    placement = placed(JANE, "CEO of", TextValue("a start-up"))
    assert (placement.subject, placement.predicate, placement.inverted) == (JANE, "CEO_OF", False)
    assert placement.slot_key == placement.fact_key


def test_a_symmetric_pair_is_sorted() -> None:
    one, other = placed(JANE, "married", KIM), placed(KIM, "spouse of", JANE)
    assert (one.subject, one.object) == (other.subject, other.object) == (JANE, EntityRef(KIM))
    assert one.fact_key == other.fact_key
    assert (one.inverted, other.inverted) == (False, True)


def test_synonyms_and_spellings_make_one_fact() -> None:
    keys = {
        placed(ACME, p, JANE).fact_key for p in ("founded_by", "foundedBy", "Founded by", "co-founded by", "founder")
    }
    assert len(keys) == 1


def test_the_slot_of_a_one_valued_predicate_is_the_fact_without_its_object() -> None:
    one, other = placed(ACME, "HAS_CEO", JANE), placed(ACME, "HAS_CEO", KIM)
    assert one.slot_key == other.slot_key
    assert len({one.fact_key, other.fact_key, one.slot_key}) == 3


def test_the_slot_of_a_many_valued_predicate_is_the_fact() -> None:
    one, other = placed(ACME, "FOUNDED_BY", JANE), placed(ACME, "FOUNDED_BY", KIM)
    assert one.slot_key == one.fact_key != other.fact_key == other.slot_key


def test_only_the_policys_qualifiers_are_part_of_the_keys() -> None:
    up = TextValue("up")
    plain, prod = placed(ACME, "status", up), placed(ACME, "status", up, environment="prod")
    shouted = placed(ACME, "status", up, Environment=" PROD ", reporter="Kim")
    assert prod.qualifiers == shouted.qualifiers == (("environment", "prod"),)
    assert (prod.fact_key, prod.slot_key) == (shouted.fact_key, shouted.slot_key)
    assert plain.slot_key != prod.slot_key
    assert placed(ACME, "status", up, environment="  ").slot_key == plain.slot_key


def test_qualifiers_of_a_policy_are_matched_and_sorted_by_name() -> None:
    vocabulary = Vocabulary.of((PredicatePolicy("HAS_PRICE", Cardinality.ONE, ("region", "Plan")),))
    placement = placed(ACME, "has price", TextValue("x"), vocabulary=vocabulary, plan="Pro", region="EU")
    assert placement.qualifiers == (("plan", "pro"), ("region", "eu"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (TextValue("Café  Noir"), TextValue("CAFE\u0301 noir", "fr")),
        (NumberValue(Decimal("12500.00"), "$"), NumberValue(Decimal("1.25E4"), "USD")),
        (
            DateValue(datetime(1990, 4, 1, tzinfo=UTC), Precision.MONTH),
            DateValue(datetime(1990, 4, 17, tzinfo=UTC), Precision.MONTH),
        ),
    ],
)
def test_equal_normal_forms_make_one_fact(one: TypedObject, other: TypedObject) -> None:
    a, b = placed(ACME, "OWNS", one), placed(ACME, "OWNS", other)
    assert (a.fact_key, a.object_key) == (b.fact_key, b.object_key)


def test_the_object_key_is_the_entity_or_a_keyed_digest_of_the_literal() -> None:
    assert placed(ACME, "OWNS", JANE).object_key == JANE
    secret = placed(ACME, "OWNS", TextValue("salary 50000")).object_key
    assert secret != placed(ACME, "OWNS", TextValue("salary 50000"), key=bytes(32)).object_key
    assert secret.bytes != hashlib.sha256(b"text:salary 50000").digest()[:16]


def test_the_key_of_a_literal_can_be_asked_for_without_a_statement() -> None:
    literal = NumberValue(Decimal("1.50"), "USD")
    assert literal_key(literal, KEY) == placed(ACME, "HAS_REVENUE", literal).object_key
    with pytest.raises(InvalidInput, match="at least 16 bytes"):
        literal_key(literal, KEY[:15])


def test_keys_are_hmacs_over_length_prefixed_parts() -> None:
    parts = [b"assay/fact/1", ACME.bytes, b"OWNS", f"entity:{JANE}".encode()]
    message = b"".join(len(p).to_bytes(4, "big") + p for p in parts)
    assert placed(ACME, "OWNS", JANE).fact_key == hmac.new(KEY, message, "sha256").digest()


def test_keys_of_two_organizations_have_nothing_in_common() -> None:
    one, other = placed(ACME, "HAS_CEO", JANE), placed(ACME, "HAS_CEO", JANE, key=bytes(32))
    assert not {one.fact_key, one.slot_key} & {other.fact_key, other.slot_key}


@pytest.mark.parametrize(("stated", "kept"), [
    ("founded", "FOUNDED_ON"), ("established", "FOUNDED_ON"), ("place of founding", "FOUNDED_ON"), ("born", "BORN_ON"),
    ("was born in", "BORN_ON"), ("died", "DIED_ON"), ("place of death", "DIED_ON"), ("opened", "OPENED_ON"),
    ("launched", "RELEASED_ON"), ("published", "RELEASED_ON"), ("decided", "DECIDED_ON"), ("approved", "APPROVED_ON"),
    ("started", "STARTED_ON"), ("ended", "ENDED_ON"), ("occurred", "OCCURRED_ON"), ("expires", "EXPIRES_ON"),
    ("discovered", "DETECTED_AT"), ("mitigated", "RESOLVED_AT"),
    ("founded by", "FOUNDED_BY"), ("approved by", "APPROVED_BY"), ("headcount", "HAS_HEADCOUNT"), ("closed", "CLOSED"),
])  # fmt: skip
def test_a_date_under_a_word_for_what_happened_falls_under_the_predicate_for_when(stated: str, kept: str) -> None:
    year, other = (DateValue(datetime(y, 1, 1, tzinfo=UTC), Precision.YEAR) for y in (1999, 2001))
    one = placed(ACME, stated, year)
    assert (one.predicate, one.subject, one.inverted) == (kept, ACME, False)
    assert one == placed(ACME, kept, year)
    assert (one.slot_key == placed(ACME, stated, other).slot_key) is (one.policy.cardinality is Cardinality.ONE)


def test_what_is_no_date_stays_under_the_word_for_what_happened() -> None:
    assert placed(JANE, "founded", ACME).predicate == "FOUNDED_BY"
    assert placed(JANE, "founded", TextValue("1999")).predicate == "FOUNDED"
    assert placed(JANE, "born in", ACME).predicate == "BORN_IN"


@pytest.mark.parametrize("own", [
    PredicatePolicy("FOUNDED", Cardinality.ONE), PredicatePolicy("FOUNDED", object_kinds=frozenset({"Date"})),
])  # fmt: skip
def test_a_policy_that_was_made_for_its_dates_keeps_them(own: PredicatePolicy) -> None:
    year = DateValue(datetime(1999, 1, 1, tzinfo=UTC), Precision.YEAR)
    after = Vocabulary.of((*CORE_VOCABULARY, own))
    assert placed(ACME, "founded", year, vocabulary=after).predicate == "FOUNDED"
    assert placed(ACME, "founded", year, vocabulary=Vocabulary.of((own,))).predicate == "FOUNDED"
    assert {"FOUNDED", "FOUNDED_ON"} <= {*affected(VOCABULARY, after, ())}, "what is kept as a date moves back"


def test_a_date_follows_the_predicate_for_when_to_its_new_name() -> None:
    year = DateValue(datetime(1999, 1, 1, tzinfo=UTC), Precision.YEAR)
    after = Vocabulary.of((*CORE_VOCABULARY, PredicatePolicy("FOUNDED_ON", replaced_by="INCEPTION_DATE")))
    assert placed(ACME, "founded", year, vocabulary=after).predicate == "INCEPTION_DATE"
    assert {"FOUNDED_ON", "INCEPTION_DATE"} <= {*affected(VOCABULARY, after, ())}


def test_what_is_asked_by_the_word_for_what_happened_is_found_by_it() -> None:
    assert stored_directions(["founded"], VOCABULARY) == (("FOUNDED", "FOUNDED_ON"), ("FOUNDED_BY",))
    assert stored_directions(["founded by"], VOCABULARY) == (("FOUNDED_BY",), None)


def test_an_unknown_predicate_is_many_valued() -> None:
    placement = placed(ACME, "has compounding value vs", TextValue("passive data vaults"))
    assert (placement.predicate, placement.policy.cardinality) == ("HAS_COMPOUNDING_VALUE_VS", Cardinality.MANY)
    assert not placement.policy.reviewed


def test_a_deprecated_name_falls_under_its_replacement() -> None:
    own = PredicatePolicy("BOSS_OF", replaced_by="CEO_OF")
    vocabulary = Vocabulary.of((*CORE_VOCABULARY, own))
    assert placed(JANE, "boss of", ACME, vocabulary=vocabulary).fact_key == placed(ACME, "HAS_CEO", JANE).fact_key


def test_inverses_in_a_circle_are_refused_by_name() -> None:
    vocabulary = Vocabulary.of((PredicatePolicy("UP", inverse_of="DOWN"), PredicatePolicy("DOWN", inverse_of="UP")))
    with pytest.raises(InvalidInput, match="UP leads back to itself"):
        placed(ACME, "up", JANE, vocabulary=vocabulary)


@pytest.mark.parametrize("predicate", ["", "  ", "!!", "x" * 300])
def test_a_predicate_that_cannot_be_one_is_refused(predicate: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        placed(ACME, predicate, JANE)
    assert refused.value.field == "predicate"


def test_a_short_key_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at least 16 bytes, not 0"):
        placed(ACME, "OWNS", JANE, key=b"")


@settings(deadline=None, max_examples=60)
@given(st.text(min_size=1, max_size=8), st.text(min_size=1, max_size=8), st.text(max_size=8), st.text(max_size=8))
def test_no_two_statements_share_a_key_by_running_together(a: str, b: str, c: str, d: str) -> None:
    vocabulary = Vocabulary.of((PredicatePolicy("P", qualifiers=("q", "r")),))
    one = placed(ACME, "P", TextValue(a), vocabulary=vocabulary, q=b, r=c)
    other = placed(ACME, "P", TextValue(b), vocabulary=vocabulary, q=c, r=d)
    same = (one.qualifiers, one.object_key) == (other.qualifiers, other.object_key)
    assert (one.fact_key == other.fact_key) == same


def test_what_a_vocabulary_remembers_is_bounded_and_not_part_of_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.knowledge.predicate.MAX_READINGS", 3)
    vocabulary, fresh = Vocabulary.of(CORE_VOCABULARY), Vocabulary.of(CORE_VOCABULARY)
    names = [vocabulary.policy(f"predicate {n}").name for n in range(10)]
    assert names == [f"PREDICATE_{n}" for n in range(10)]
    assert vocabulary == fresh
