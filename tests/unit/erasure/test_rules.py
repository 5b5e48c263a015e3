"""Whatever content may go through has a rule for erasing, before there is a way around it."""

from __future__ import annotations

from pathlib import Path

import domain.ports
from domain.erasure.rules import CONTENT, RULES, STORES


def test_a_new_port_needs_a_rule_for_what_is_kept_behind_it() -> None:
    ports = {path.stem for path in Path(str(domain.ports.__file__)).parent.glob("*.py")} - {"__init__"}
    assert ports - STORES.keys() == set()
    assert STORES.keys() - ports == set()


def test_content_is_what_goes_or_is_emptied() -> None:
    assert {"chunks.text", "document_versions.text", "entities.name", "mutation_payloads.payload"} <= set(CONTENT)
    assert not {"mutations.reason", "sources.name", "assertions.kind", "heads.hash"} & set(CONTENT)
    assert set(CONTENT) <= RULES.keys()
