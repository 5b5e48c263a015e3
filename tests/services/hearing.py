"""What a module logs, whatever was configured before: a logger that was used once keeps its configuration."""

from __future__ import annotations

from types import ModuleType

import pytest
import structlog
from structlog.testing import LogCapture, ReturnLogger


def hear(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> LogCapture:
    """Listen to the module's logger for the rest of the test; ``entries`` are what it said."""
    capture = LogCapture()
    listening = structlog.wrap_logger(
        ReturnLogger(), processors=[capture], wrapper_class=structlog.make_filtering_bound_logger(0)
    )
    monkeypatch.setattr(module, "_log", listening)
    return capture
