"""What a first start shows: three questions with their answers, and how to connect."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import msgspec

from application.retrieval.types import SearchRequest
from domain.identity.access import Access
from entrypoints.application import Application
from entrypoints.cli.local_access import OPERATOR_KEY
from entrypoints.cli.output import console, plain
from entrypoints.cli.reading import told
from entrypoints.sample import WORKSPACE

ANSWERS = 5


class SampleQuestion(msgspec.Struct):
    """A question, and words that a right answer contains."""

    question: str
    language: str
    expected: list[str]
    shows: str


class SampleQuestions(msgspec.Struct):
    """What is asked."""

    questions: list[SampleQuestion]


def sample_questions() -> list[SampleQuestion]:
    """The questions of the sample."""
    return msgspec.json.decode((WORKSPACE / "questions.json").read_bytes(), type=SampleQuestions).questions


async def print_answers(app: Application, access: Access) -> None:
    """Ask each question and print ranked facts with their grade, dates, source and excerpt."""
    out = console()
    for asked in sample_questions():
        result = await app.retrieval.search(access, SearchRequest(asked.question, limit=ANSWERS))
        out.print()
        out.print(plain(f"? {asked.question}"), style="bold cyan")
        for part in told([hit.fact for hit in result.hits]):
            out.print(part)
        for note in result.notes:
            out.print(plain(f"note: {note}"))
    out.print()


def print_connections(address: str, key: str, folder: Path) -> None:
    """Print the address, the key, and how to use both."""
    command = str(Path(sys.argv[0]).absolute())
    stdio = {"command": command, "args": ["mcp"], "env": {"ASSAY_EMBEDDED__FOLDER": str(folder)}}
    question = sample_questions()[0].question
    asked = shlex.quote(f"q={question}")
    lines = (
        f"address    {address}",
        f"API key    {key}   (kept in {folder / OPERATOR_KEY})",
        f"reference  {address}/v1/openapi.json",
        "",
        "search with curl:",
        f"  curl -G -H 'Authorization: Bearer {key}' --data-urlencode {asked} {address}/v1/search",
        "search on the command line:",
        f"  {shlex.quote(command)} search {shlex.quote(question)}",
        "an MCP client over streamable HTTP:",
        f"  {json.dumps({'url': f'{address}/mcp', 'headers': {'Authorization': f'Bearer {key}'}}, ensure_ascii=False)}",
        "an MCP client over standard input and output:",
        f"  {json.dumps(stdio, ensure_ascii=False)}",
        "",
        "Ctrl-C stops everything.",
    )
    out = console()
    for line in lines:
        out.print(plain(line), soft_wrap=True)
    sys.stdout.flush()
