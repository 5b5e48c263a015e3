"""docs/mcp.md has the tools as the code has them."""

from __future__ import annotations

from pathlib import Path

from entrypoints.application import Application
from entrypoints.mcp.profiles import Profile
from entrypoints.mcp.sign_in import SignIn, by_key
from entrypoints.mcp.tools import catalogue
from entrypoints.telemetry import Metrics

PAGE = Path(__file__).parents[3] / "docs" / "mcp.md"


def test_the_page_names_every_tool_with_what_it_needs(app: Application) -> None:
    rows = [
        f"| `{tool.function.__name__}` | {tool.action.grant} | {tool.action.role} | "
        f"{next(profile for profile in Profile if profile.offers(tool.action))} |"
        for tool in catalogue.tools(app, SignIn(app, by_key(app.verifier, "none")), Metrics())
    ]
    head = "| tool | scope of a token | least role | profile |\n|---|---|---|---|\n"
    written = PAGE.read_text("utf-8").partition(head)[2].partition("\n\n")[0]
    assert written.splitlines() == rows
