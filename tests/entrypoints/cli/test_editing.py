"""Editing entities and proposing corrections on the command line."""

from __future__ import annotations

from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Cli

pytestmark = pytest.mark.services


def test_an_entity_is_edited_proposed_and_a_correction_proposed(cli: Cli) -> None:
    name, new = f"Brik {uuid4().hex[:8]}", f"Brax {uuid4().hex[:8]}"
    cli.json("triples", "-", input=f'{{"subject": "{name}", "predicate": "located in", "object": "Lyon"}}')
    (fact,) = cli.json("facts", "--subject", name)
    told = cli.run("edit", fact["subject"]["id"], "--name", new, "--kind", "Company", "--reason", "the register")
    assert told.exit_code == 0, told.output
    assert f"it is called {new} (company) at revision" in told.output
    assert f"{new} is located in Lyon" in [f["sentence"] for f in cli.json("facts", "--subject", name)]
    waiting = cli.json("edit", fact["subject"]["id"], "--alias", f"{new} Ltd", "--propose")
    assert cli.run("proposals", "approve", waiting["proposal_id"]).exit_code == 0
    assert f"{new} Ltd" in cli.json("entity", name)["aliases"]
    proposed = cli.json("correct", fact["id"], "--deny", "--propose", "--reason", "it moved")
    assert [f["lifecycle"] for f in cli.json("facts", "--subject", name, "--predicate", "located in")] == ["active"]
    assert cli.run("proposals", "approve", proposed["proposal_id"]).exit_code == 0
    assert cli.json("facts", "--subject", name, "--predicate", "located in") == []
    nothing = cli.run("edit", fact["subject"]["id"])
    assert (nothing.exit_code, "say what is to be different" in nothing.output) == (2, True), nothing.output
