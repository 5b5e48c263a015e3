"""The numbers of a walk, said at its end."""

from __future__ import annotations

import pytest
from _pytest.terminal import TerminalReporter


def say(config: pytest.Config, text: str) -> None:
    """Write a line to the terminal, also when output is captured; workers of a parallel run have none."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if isinstance(reporter, TerminalReporter):
        reporter.write_line(f"isolation: {text}")
