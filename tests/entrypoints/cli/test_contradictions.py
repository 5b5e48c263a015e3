"""What contradicts itself, and deciding it, on the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Cli

pytestmark = pytest.mark.services
NOBODY = "00000000-0000-7000-8000-000000000000"


def rivals(run: Callable[..., Any]) -> tuple[str, dict[str, Any]]:
    """A company with two heads at one time, and the contradiction that makes."""
    name = f"Brik {uuid4().hex[:8]}"
    lines = [
        f'{{"subject": "{name}", "predicate": "has CEO", "object": "{who}", "kind": "fact", "valid_from": "2020", '
        f'"confidence": {confidence}}}'
        for who, confidence in (("Ada", 1.0), ("Bob", 0.9))
    ]
    run("triples", "-", input="\n".join(lines))
    (found,) = run("contradictions", "--entity", name)["items"]
    contradiction: dict[str, Any] = found
    return name, contradiction


def test_a_contradiction_is_shown_decided_and_the_decision_undone(workspace: Callable[..., Any]) -> None:
    name, found = rivals(workspace)
    assert [side["fact"]["object"]["name"] for side in found["sides"]] == ["Ada", "Bob"]
    done = workspace("decide", found["id"], "--keep", found["sides"][1]["fact"]["id"], "--reason", "the register")
    assert workspace("contradictions", "--entity", name)["items"] == []
    assert [f["object"]["name"] for f in workspace("facts", "--subject", name)] == ["Bob"]
    workspace("undo", str(done["revision"]))
    assert [each["id"] for each in workspace("contradictions", "--entity", name)["items"]] == [found["id"]]


def test_a_workspace_that_says_something_else_than_its_organization(cli: Cli, workspace: Callable[..., Any]) -> None:
    name = f"Ribe {uuid4().hex[:8]}"
    for run, who in ((cli.json, "Ada"), (workspace, "Bob")):
        run("triples", "-", input=f'{{"subject": "{name}", "predicate": "has CEO", "object": "{who}"}}')
    assert workspace("contradictions", "--entity", name)["items"] == []
    found = workspace("contradictions", "--between-scopes", "--predicate", "has CEO")["items"]
    (mine,) = [each for each in found if each["subject"]["name"] == name]
    assert {factor["set"] for side in mine["sides"] for factor in side["factors"]} == {"workspace", "organization"}


def test_no_model_judges_unless_one_is_configured(cli: Cli) -> None:
    refused = cli.run("judge")
    assert (refused.exit_code, "ASSAY_JUDGE__PROVIDER" in refused.output) == (5, True)
    assert cli.run("judge", "--after", "nowhere").exit_code == 2


def test_both_sides_are_told_with_every_factor(cli: Cli) -> None:
    name, found = rivals(cli.json)
    told = cli.run("contradictions", "--entity", name).output
    assert f"{name} HAS_CEO" in told
    assert f"disputed · severity {found['severity']['value']:.2f} (sides 90% as heavy" in told
    assert f"0.850 says: {found['sides'][0]['fact']['sentence']}" in told
    assert "= 0.850 × 1.0 for 1 independent sources" in told
    assert "0.850 = 1.00 × fact 1.0 × tier 2 0.85" in told
    assert f"decide with: assay decide {found['id']}" in told
    assert "nothing contradicts itself here" in cli.run("contradictions", "--entity", "nobody at all").output
    facts = [side["fact"]["id"] for side in found["sides"]]
    turns = cli.run("decide", found["id"], "--first", facts[0], "--then", facts[1], "--boundary", "2023")
    assert (turns.exit_code, "take it back with: assay undo" in turns.output) == (0, True), turns.output


def test_both_at_once_is_proposed_to_an_administrator_and_approved(cli: Cli) -> None:
    _, found = rivals(cli.json)
    many = cli.run("decide", found["id"], "--many")
    assert (many.exit_code, "an administrator of the organization approves it" in many.output) == (0, True), many.output
    waiting = cli.json("proposals", "list", "--kind", "vocabulary")
    assert waiting
    cli.json("proposals", "reject", *(each["proposal_id"] for each in waiting), "--scope", "organization")


def test_choices_exclude_each_other_and_what_is_unknown_is_named(cli: Cli) -> None:
    for arguments in ((), ("--many", "--neither"), ("--keep", NOBODY, "--many")):
        refused = cli.run("decide", NOBODY, *arguments)
        assert (refused.exit_code, "name one of --keep" in refused.output) == (2, True), refused.output
    assert cli.run("decide", NOBODY, "--neither").exit_code == 4
    wrong = cli.run("decide", NOBODY, "--neither", "--at", "soon")
    assert (wrong.exit_code, "'soon' is no time" in wrong.output) == (2, True), wrong.output
    wrong = cli.run("decide", NOBODY, "--first", NOBODY, "--then", NOBODY, "--boundary", "soon")
    assert wrong.exit_code == 2, wrong.output
