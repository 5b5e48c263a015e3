"""What a token can be made for."""

from __future__ import annotations

from enum import StrEnum


class Resource(StrEnum):
    """A protected resource of ours, as RFC 8707 names it: a token for one is no token for another."""

    API = "api"
    MCP = "mcp"
