"""What a test session does when one of its servers cannot start."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest


def service_missing(name: str, reason: str) -> NoReturn:
    """Fail in CI (``CI=true``), where every server has to be there; skip elsewhere, naming the server."""
    message = f"{name} cannot start: {reason}"
    if os.environ.get("CI", "").lower() in {"true", "1"}:
        pytest.fail(message, pytrace=False)
    pytest.skip(message)
