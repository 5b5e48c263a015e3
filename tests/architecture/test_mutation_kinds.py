"""Every kind of mutation that is written is among those that a reader may ask for."""

from __future__ import annotations

import ast
from pathlib import Path

from domain.journal.entries import KINDS

SOURCES = Path(__file__).parents[2] / "src"


def written() -> set[str]:
    """The kinds that are written out where entries are made."""
    found: set[str] = set()
    for path in (SOURCES / "application").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Entry" and node.args:
                kinds = [node.args[0]]
                if isinstance(node.args[0], ast.IfExp):
                    kinds = [node.args[0].body, node.args[0].orelse]
                found |= {str(kind.value) for kind in kinds if isinstance(kind, ast.Constant)}
    return found


def test_every_kind_that_is_written_is_known() -> None:
    assert len(written()) >= 25
    assert written() - KINDS == set()
