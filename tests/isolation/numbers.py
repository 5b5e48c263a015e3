"""The numbers of a walk, said at its end."""

from __future__ import annotations

import pytest
from _pytest.capture import CaptureManager
from _pytest.terminal import TerminalReporter


def say(config: pytest.Config, text: str) -> None:
    """Write a line to the terminal, also when output is captured; workers of a parallel run have none."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    capture = config.pluginmanager.get_plugin("capturemanager")
    if isinstance(reporter, TerminalReporter) and isinstance(capture, CaptureManager):
        with capture.global_and_fixture_disabled():
            reporter.write_line(f"isolation: {text}")
