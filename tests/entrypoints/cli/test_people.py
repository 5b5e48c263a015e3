"""People, roles and promotions on the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.entrypoints.cli.conftest import Cli


def test_people_are_added_raised_disabled_enabled_and_removed(cli: Cli, workspace: Callable[..., Any]) -> None:
    added = workspace("people", "add", "Mia", "--role", "viewer")["principal_id"]
    workspace("people", "role", added, "curator")
    (mia,) = [person for person in workspace("people", "list") if person["principal_id"] == added]
    assert [role.split(" in ")[0] for role in mia["roles"]] == ["curator"]
    assert cli.json("people", "disable", added, "--scope", "organization")["revision"] > 0
    assert cli.json("people", "disable", added, "--scope", "organization")["revision"] is None
    assert cli.json("people", "enable", added, "--scope", "organization")["revision"] > 0
    workspace("people", "remove", added)
    assert added not in {person["principal_id"] for person in workspace("people", "list") if person["roles"]}
    stays = cli.run("people", "leave", "--scope", "organization")
    assert stays.exit_code == 5
    assert "this is the last owner of the organization" in " ".join(stays.stderr.split())


def test_a_fact_is_promoted_and_its_explanation_names_where_it_came_from(
    cli: Cli, workspace: Callable[..., Any]
) -> None:
    line = '{"subject": "Pier 9", "predicate": "depends on", "object": "Portland Ltd"}'
    workspace("triples", "-", input=line)
    (fact,) = workspace("facts", "--subject", "Pier 9", "--within", "workspace")
    offered = workspace("promote", fact["id"], "--to", "organization", "--reason", "all ask")
    assert offered["sentence"] == fact["sentence"]
    cli.json("proposals", "approve", offered["proposal_id"], "--scope", "organization")
    (shared,) = cli.json("facts", "--subject", "Pier 9", "--scope", "organization")
    told = cli.json("explain", shared["id"], "--scope", "organization")
    assert [(o["fact_id"], o["scope"], o["state"]) for o in told["promoted_from"]] == [
        (fact["id"], "workspace", "stands")
    ]
