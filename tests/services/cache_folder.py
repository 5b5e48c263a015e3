"""Where the tests keep what they download, between runs and outside the repository."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """``ASSAY_TEST_CACHE`` where it is set, else ``assay-tests`` in the user's cache folder. It may not exist yet."""
    if named := os.environ.get("ASSAY_TEST_CACHE"):
        return Path(named)
    users = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(users) if Path(users).is_absolute() else Path.home() / ".cache") / "assay-tests"
