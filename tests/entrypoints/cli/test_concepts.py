"""Concepts on the command line."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Cli

pytestmark = pytest.mark.services


def test_a_concept_is_found_and_shown_with_what_contradicts_it(cli: Cli) -> None:
    mark = uuid4().hex[:8]
    here, there = f"Retries {mark} must be idempotent", f"Messages {mark} come once"
    stated = {"subject": {"concept": here}, "predicate": "concept kind", "object": {"text": "principle"}}
    against = {"subject": {"concept": there}, "predicate": "contradicts", "object": {"concept": here}}
    term = {"subject": {"concept": here}, "predicate": "search term", "object": {"text": "safe repetition"}}
    lines = "\n".join(json.dumps(line) for line in (stated | {"excerpt": "Retry safely."}, against, term))
    cli.json("triples", "-", input=lines)
    found = cli.json("concepts", "search", f"retries {mark}", "--concept-kind", "principle")
    assert [each["concept"]["label"] for each in found["items"]] == [here]
    told = cli.run("concepts", "show", here).output
    assert (
        f"{here}\n    principle · contested, grounding +0.00 · 1 independent sources · for 0.51, against 0.51" in told
    )
    assert "also found by: safe repetition" in told
    assert f"contradicted by: {there}" in told
    assert "“Retry safely.” —" in told
    assert f"CONTRADICTS {there} (active, fact " in told
    missing = cli.run("concepts", "show", "nothing that is called so")
    assert (missing.exit_code, "there is no concept called" in missing.output) == (4, True), missing.output
