"""Caches, objects, graphs and kept answers carry whose they are."""

from __future__ import annotations

import pytest

from adapters.graphiti.schema import graph_name
from domain.identity.ids import OrganizationId
from tests.isolation.checks import stores as checks
from tests.isolation.conftest import Two
from tests.isolation.numbers import say
from tests.isolation.rules import stores as rules


def test_every_cache_says_what_is_in_its_keys(pytestconfig: pytest.Config) -> None:
    wrong = checks.undeclared_caches()
    assert not wrong, "\n".join(wrong)
    assert [file for file in rules.CACHES if not (checks.SOURCE / file).is_file()] == []
    say(pytestconfig, f"{len(rules.CACHES)} caches")


async def test_the_same_text_is_another_object_in_another_organization(two: Two) -> None:
    assert await checks.misplaced_objects(two) == []


async def test_what_an_organization_paid_for_is_free_for_no_other() -> None:
    assert await checks.free_vectors() == []


async def test_graphs_are_named_by_the_organization_and_read_within_scopes(two: Two) -> None:
    names = {graph_name(OrganizationId(organization.uuid)) for organization in (two.ours, two.theirs)}
    assert names == {f"org_{organization.uuid.hex}" for organization in (two.ours, two.theirs)}
    assert await checks.unbound_graph_statements() == []


async def test_an_idempotency_key_of_others_is_free(two: Two) -> None:
    assert await checks.replayed_across(two) == []
