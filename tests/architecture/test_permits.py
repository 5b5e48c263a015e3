"""A role is never asked for without the grant: use cases call ``permit``, which knows both."""

from __future__ import annotations

import re
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"


def test_nothing_but_the_permission_table_asks_for_a_role() -> None:
    asking = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if re.search(r"access\.require\(", path.read_text("utf-8"))
    }
    assert asking == {"domain/identity/permissions.py"}
