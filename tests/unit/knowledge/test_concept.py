"""Concepts are entities of one kind: what they may be, how they are related, and which mention means one."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

import pytest

from domain.errors import InvalidInput
from domain.identity.ids import EntityId, GroupId
from domain.knowledge.assertion import Claim, Mention
from domain.knowledge.concept import INVERSES, ConceptKind, ConceptRelation, concept_kind, relation_name
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.objects import BooleanValue, TextValue
from domain.knowledge.predicate import Cardinality, Vocabulary
from domain.resolution.resolve import Resolved, Rule, resolve

VOCABULARY = Vocabulary.of(CORE_VOCABULARY)
GROUP = GroupId("o_" + "1" * 32)
SCOPES = {GROUP: 0}


@dataclass(frozen=True)
class Named:
    entity_id: EntityId
    kind: str | None
    group_id: GroupId = GROUP
    by_alias: bool = False


@pytest.mark.parametrize("relation", ConceptRelation)
def test_every_relation_is_many_valued_and_reads_both_ways(relation: ConceptRelation) -> None:
    here, back = VOCABULARY.read(relation.value), VOCABULARY.read(INVERSES[relation])
    assert here.canonical == back.canonical
    assert here.canonical.cardinality is Cardinality.MANY
    assert (here.stated.reviewed, back.stated.reviewed) == (True, True)
    assert here.canonical.symmetric is (relation is ConceptRelation.CONTRADICTS)
    assert here.canonical.symmetric or here.inverted is not back.inverted


@pytest.mark.parametrize("stated", ["supports", "Supported by", "isSupportedBy", "contradicts", "hasPart", "CAUSED_BY"])
def test_a_relation_is_known_in_any_spelling_and_direction(stated: str) -> None:
    if stated == "isSupportedBy":
        with pytest.raises(InvalidInput, match="is no relation of concepts; use one of IMPLIES, SUPPORTS"):
            relation_name(stated)
    else:
        assert VOCABULARY.policy(relation_name(stated)).reviewed


def test_an_unknown_kind_is_refused_with_those_there_are() -> None:
    assert concept_kind(" Principle ") is ConceptKind.PRINCIPLE
    with pytest.raises(InvalidInput, match="'idea' is no kind of concept; use one of claim, definition, event, princ"):
        concept_kind("idea")


@pytest.mark.parametrize("predicate", ["HAS_CONCEPT_KIND", "concept kind", "conceptType"])
def test_a_concept_is_stated_to_be_of_a_known_kind_only(predicate: str) -> None:
    label = Mention("Retries must be idempotent", "concept")
    assert Claim(label, predicate, TextValue("principle"), 1.0).object == TextValue("principle")
    with pytest.raises(InvalidInput, match="no kind of concept"):
        Claim(label, predicate, TextValue("idea"), 1.0)
    with pytest.raises(InvalidInput, match="is a text, one of claim"):
        Claim(label, predicate, BooleanValue(True), 1.0)


def test_a_concept_and_a_thing_of_the_same_name_are_two() -> None:
    thing, team, concept = EntityId(UUID(int=1)), EntityId(UUID(int=2)), EntityId(UUID(int=3))
    assert resolve("concept", [Named(thing, None), Named(team, "team")], SCOPES) is None
    assert resolve(None, [Named(concept, "concept")], SCOPES) is None
    found = resolve("concept", [Named(thing, None), Named(concept, "concept")], SCOPES)
    assert found == Resolved(concept, Rule.EXACT_NAME_AND_KIND)
    assert resolve(None, [Named(team, "team"), Named(concept, "concept")], SCOPES) == Resolved(team, Rule.EXACT_NAME)


def test_a_company_and_an_organization_of_one_name_are_one_and_a_team_is_another() -> None:
    company, team = EntityId(UUID(int=1)), EntityId(UUID(int=2))
    known = [Named(company, "company"), Named(team, "team")]
    assert resolve("Organization", known, SCOPES) == Resolved(company, Rule.EXACT_NAME_AND_KIND)
    assert resolve("squad", known, SCOPES) is None
