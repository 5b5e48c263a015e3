"""A question is read by its words: predicates, the side of what it names, the kind of answer; and what is a match."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest

from domain.identity.ids import EntityId, FactId, GroupId, Revision, StandingId
from domain.knowledge.assertion import ClaimKind
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.objects import DateValue, Literal
from domain.knowledge.predicate import PredicatePolicy, Vocabulary
from domain.knowledge.stems import stem
from domain.knowledge.time import Precision
from domain.retrieval.answering import answers
from domain.retrieval.closeness import Band, Match, best, match_of
from domain.retrieval.facts import Named, StandingFact
from domain.retrieval.phrases import Phrasebook, words_of
from domain.retrieval.question import Side, asked_predicates, possible_predicates, read_question
from domain.retrieval.question_words import Wanted
from domain.standing.testimony import Lifecycle, Verification

BOOK = Phrasebook(Vocabulary.of(CORE_VOCABULARY))
ACME, ANN, BONN = (EntityId(UUID(int=n)) for n in (1, 2, 3))
NAMED = {ACME: "acme"}
AT = datetime(2020, 5, 1, tzinfo=UTC)


def side(question: str, predicate: str) -> Side | None:
    """Where "acme" stands under a predicate that the question asks for."""
    asked = {each.predicate: each.sides for each in read_question(question, BOOK, NAMED, ()).asked}
    return asked[predicate][0]


def fact(predicate: str, object: Named | Literal, subject: Named | None = None) -> StandingFact:
    return StandingFact(
        standing_id=StandingId(UUID(int=9)), fact_id=FactId(UUID(int=9)), group_id=GroupId("g"), sentence="s",
        subject=subject or Named(ACME, "Acme", "organization"), predicate=predicate, object=object, qualifiers={},
        valid_from=None, valid_to=None, lifecycle=Lifecycle.ACTIVE, support=True, refute=False, confidence=0.9,
        support_mass=0.9, refute_mass=0.0, score=0.9, reason="", tier=2, verification=Verification.AUTO,
        kind=ClaimKind.FACT, corrected=False, observed_at=AT, from_revision=Revision(1), citation=None, helpful=0,
        unhelpful=0, rivals=(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "predicate", "expected"),
    [
        ("What depends on Acme?", "DEPENDS_ON", Side.OBJECT),
        ("What does Acme depend on?", "DEPENDS_ON", Side.SUBJECT),
        ("Who owns Acme?", "OWNS", Side.OBJECT),
        ("What does Acme own?", "OWNS", Side.SUBJECT),
        ("Who is Acme owned by?", "OWNS", Side.OBJECT),
        ("Who is the owner of Acme?", "OWNS", Side.OBJECT),
        ("Who is the CEO of Acme?", "HAS_CEO", Side.SUBJECT),
        ("Who is Acme's CEO?", "HAS_CEO", Side.SUBJECT),
        ("Which company is Acme CEO of?", "HAS_CEO", Side.OBJECT),
        ("Who founded Acme?", "FOUNDED_BY", Side.SUBJECT),
        ("When was Acme founded?", "FOUNDED_ON", Side.SUBJECT),
        ("When was Acme acquired?", "ACQUIRED", Side.OBJECT),
        ("What did Acme acquire?", "ACQUIRED", Side.SUBJECT),
        ("Who does Acme report to?", "REPORTS_TO", Side.SUBJECT),
        ("Who reports to Acme?", "REPORTS_TO", Side.OBJECT),
        ("Where is Acme headquartered?", "HEADQUARTERED_IN", Side.SUBJECT),
        ("What is the headcount of Acme?", "HAS_HEADCOUNT", Side.SUBJECT),
        ("Which version does Acme have?", "HAS_VERSION", Side.SUBJECT),
        ("Where is Acme?", "LOCATED_IN", Side.SUBJECT),
        ("Ai là trưởng Acme?", "LEADS", Side.OBJECT),
        ("ai so huu acme", "OWNS", Side.OBJECT),
        ("Is Acme a partner of somebody?", "PARTNER_OF", None),
    ],
)
def test_the_place_of_a_name_beside_the_words_tells_its_side(
    question: str, predicate: str, expected: Side | None
) -> None:
    assert side(question, predicate) is expected


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Who is it?", Wanted.PARTY), ("When was it?", Wanted.TIME), ("In what year?", Wanted.TIME),
        ("Where?", Wanted.PLACE), ("How many are there?", Wanted.AMOUNT), ("ở đâu", Wanted.PLACE),
        ("Thành lập năm nào?", Wanted.TIME), ("Ai lãnh đạo?", Wanted.PARTY), ("an AI platform", Wanted.ANYTHING),
        ("What is it?", Wanted.ANYTHING),
    ],
)  # fmt: skip
def test_the_question_word_tells_what_kind_of_answer_is_wanted(question: str, wanted: Wanted) -> None:
    assert read_question(question, BOOK, {}, ()).wanted is wanted


def test_a_name_inside_a_longer_one_names_nothing_and_a_phrase_inside_a_name_asks_nothing() -> None:
    read = read_question("Who leads the status board of Bonn?", BOOK, {ACME: "status board", BONN: "board"}, (ANN,))
    assert [(span.start, span.end, span.entities) for span in read.spans] == [(3, 5, frozenset({ACME, ANN}))]
    assert "HAS_STATUS" not in {each.predicate for each in read.asked}


def test_an_organizations_own_predicate_is_asked_for_by_its_own_words() -> None:
    own = PredicatePolicy("AUDITS", synonyms=("kiểm toán",))
    book = Phrasebook(Vocabulary.of((*CORE_VOCABULARY, own)))
    for question in ("Who audits Acme?", "ai kiem toan Acme"):
        assert asked_predicates(question, book) == ("AUDITS",)
        assert read_question(question, book, NAMED, ()).asked[0].sides == (Side.OBJECT,)


def test_the_fact_that_answers_scores_one_and_its_reverse_little() -> None:
    ann, acme = Named(ANN, "Ann", "person"), Named(ACME, "Acme", "organization")
    read = read_question("Who owns Acme?", BOOK, NAMED, ())
    assert answers(read, fact("OWNS", acme, subject=ann)) == 1.0
    assert answers(read, fact("OWNS", Named(BONN, "Brik", "organization"))) == pytest.approx(0.2)
    assert answers(read, fact("OWNS", Named(BONN, "Brik", None), subject=ann)) == 0.0
    assert answers(read, fact("HAS_CEO", ann)) == 0.0


def test_the_kind_of_the_answer_counts() -> None:
    read = read_question("When was Acme founded?", BOOK, NAMED, ())
    exact, year = (fact("FOUNDED_ON", DateValue(AT, precision)) for precision in (Precision.DAY, Precision.YEAR))
    founder = fact("FOUNDED_BY", Named(ANN, "Ann", "person"))
    assert answers(read, exact) == 1.0
    scores = [answers(read, each) for each in (exact, year, replace(founder, valid_from=AT), founder)]
    assert scores == sorted(set(scores), reverse=True)


@pytest.mark.parametrize(
    "text",
    ["who leads acme", "when was acme founded", "what does acme own", "where is acme based", "acme", "how many acme"],
)
def test_what_a_question_asks_for_is_among_what_it_may_ask_for(text: str) -> None:
    likely, possible = possible_predicates(text, BOOK)
    assert likely == asked_predicates(text, BOOK)
    assert set(likely) <= set(possible)
    words = text.split()
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            read = read_question(text, BOOK, {ACME: " ".join(words[start:end])}, ())
            assert {asked.predicate for asked in read.asked} <= set(possible)


def test_words_lose_accents_and_inflection() -> None:
    assert words_of("Acme’s Đà-Nẵng offices") == ["acme", "'s", "da", "nang", "offices"]
    for forms in (("owns", "owned", "own"), ("acquires", "acquired", "acquire"), ("led", "leads", "lead"),
                  ("depends", "depend"), ("supplies", "supplied", "supply"), ("running", "runs", "ran")):  # fmt: skip
        assert len({stem(form) for form in forms}) == 1


def test_a_match_shares_a_telling_word_or_is_near() -> None:
    cosines = Band(floor=0.5, sure=0.7)
    texts = ["What is the seat of Acme?"]
    assert match_of("where does acme sit", texts, None, None) is Match.CLOSE
    assert match_of("what is the weather", texts, None, None) is Match.NONE
    assert match_of("what is the weather", texts, 0.1, None) is Match.CLOSE
    found = [match_of("what is the weather", texts, nearest, cosines) for nearest in (0.49, 0.5, 0.69, 0.7)]
    assert found == [Match.NONE, Match.WEAK, Match.WEAK, Match.CLOSE]
    assert (best(found), best(found[:3]), best(())) == (Match.CLOSE, Match.WEAK, Match.NONE)
