"""Every mitigation of the threat model names a test, and every test that is named exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
NAMED = re.compile(r"`([\w/]+\.py)::(\w+)`")


@cache
def tests_in(file: str) -> frozenset[str]:
    """The names of a file's tests, those of its classes among them."""
    path = ROOT / "tests" / file
    if not path.is_file():
        return frozenset()
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return frozenset(n.name for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))


def rows() -> list[str]:
    """The rows of the tables whose last column is of tests."""
    found, within = [], False
    for line in PAGE.splitlines():
        if line == "| threat | mitigation | tests |":
            within = True
        elif not line.startswith("|"):
            within = False
        elif within and not line.startswith("|---"):
            found.append(line)
    return found


def test_every_test_that_is_named_exists() -> None:
    named = NAMED.findall(PAGE)
    assert len(named) >= 100
    assert [
        f"{file}::{name}" for file, name in named if name not in tests_in(file) or not name.startswith("test_")
    ] == []


def test_every_mitigation_names_a_test() -> None:
    assert len(rows()) >= 60
    assert [row for row in rows() if not NAMED.search(row.split("|")[3])] == []


def test_whatever_a_security_team_asks_for_has_a_section() -> None:
    sections = set(re.findall(r"^## (.+)$", PAGE, re.MULTILINE))
    assert sections >= {
        "What is protected", "Who may attack", "Where trust ends", "Tenancy", "Sign-in, sessions and keys", "Rights",
        "Agents over MCP", "What is read is data", "Denial and cost", "Proof: journal and audit",
        "Erasure, disks and logs", "Operator and supply chain", "Not mitigated",
    }  # fmt: skip
