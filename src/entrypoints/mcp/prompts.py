"""Prompts that a person can start."""

from __future__ import annotations

from typing import Annotated

from mcp.server.mcpserver import MCPServer
from pydantic import Field


def cited_answer(question: Annotated[str, Field(description="What you want to know.")]) -> str:
    """Answer a question from the memory alone, with sources, grades and both sides of what is contested."""
    return (
        f"Answer this question from Assay: {question}\n\n"
        "1. Call search_knowledge with the question. When you then know the names, call query_facts or "
        "get_entity_profile for what is missing; ask with passages='all' when facts do not suffice.\n"
        "2. For each fact that the answer rests on, give its source and date. Say so when its tier is 3 or 4, when its "
        "verification is pending, or when its confidence is under 0.5.\n"
        "3. Where contested is true, show both sides.\n"
        "4. Say plainly what the memory does not know. Do not fill gaps from elsewhere."
    )


def add_prompts(server: MCPServer[None]) -> None:
    """Offer every prompt."""
    server.prompt(title="Answer with sources")(cited_answer)
