"""One request of the walk: made of a rule, with ids in their places, and its answer made comparable."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx

from tests.isolation.conftest import Two, statements
from tests.isolation.rules.declared import Entry, filled_in, kinds_in
from tests.isolation.rules.routes import PATH_IDS, QUERY_IDS, ROUTES
from tests.isolation.two_organizations import CLAIM, DOCUMENT

_PLAIN_PARTS = {"name": "papers", "revision": "999999999"}
"""Parts of a path that name nothing by an id."""
_OF_THE_MOMENT = ("x-request-id", "date", "retry-after", "ratelimit", "content-length")
TRIES = 4
"""What is remembered of a sign-in is asked anew now and then; a difference that is due to the id is there each time."""

Ids = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Route:
    """A route of the document with its rule."""

    method: str
    path: str
    operation: Mapping[str, Any]
    entry: Entry

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    def parts(self) -> list[str]:
        return re.findall(r"\{(\w+)\}", self.path)

    def kinds(self) -> set[str]:
        """The kinds of ids in its path and its body."""
        return {PATH_IDS[part] for part in self.parts() if part in PATH_IDS} | set(kinds_in(self.entry.body))

    def query_ids(self) -> Iterator[tuple[str, str]]:
        """Query parameters that take the id of an object, with its kind."""
        for parameter in self.operation.get("parameters", []):
            if parameter["in"] == "query" and '"uuid"' in json.dumps(parameter):
                yield parameter["name"], QUERY_IDS[parameter["name"]]

    async def ask(self, client: httpx.AsyncClient, ids: Ids, **asked: Any) -> httpx.Response:
        """Send it with these ids."""
        place = re.sub(r"\{(\w+)\}", lambda part: _PLAIN_PARTS.get(part[1]) or str(ids[PATH_IDS[part[1]]]), self.path)
        query = {**filled_in(self.entry.asked, ids), **asked}
        body = self.entry.body
        if self.entry.lines and self.path.endswith("/upload"):
            return await client.request(self.method, place, params=query, files={"file": ("walked.txt", body)})
        if self.entry.lines:
            headers = {"content-type": "application/x-ndjson"}
            return await client.request(self.method, place, params=query, content=body, headers=headers)
        return await client.request(
            self.method, place, params=query, json=None if body is None else filled_in(body, ids)
        )


def routes(two: Two) -> list[Route]:
    """Every route that has a rule."""
    return [
        Route(method, path, operation, ROUTES[f"{method} {path}"])
        for method, path, operation in two.operations()
        if f"{method} {path}" in ROUTES
    ]


def unknown() -> dict[str, Any]:
    """An id of each kind that nobody has."""
    kinds = {*PATH_IDS.values(), *QUERY_IDS.values()}
    return {kind: str(uuid4()) for kind in kinds} | {"job": 4_000_000_000}


def comparable(answer: httpx.Response, ids: Ids) -> tuple[int, str, str]:
    """Status, headers and body, without the ids that were sent and what differs from moment to moment."""
    text = answer.text
    try:
        parsed = json.loads(text)
        if isinstance(parsed, dict):
            for passing in ("request_id", "as_of"):
                parsed.pop(passing, None)
        text = json.dumps(parsed, sort_keys=True)
    except ValueError:
        pass
    headers = json.dumps(sorted((n, v) for n, v in answer.headers.items() if not n.startswith(_OF_THE_MOMENT)))
    for kind, sent in ids.items():
        text, headers = (place.replace(str(sent), f"<{kind}>") for place in (text, headers))
    return answer.status_code, headers, text


async def told_apart(
    two: Two, route: Route, client: httpx.AsyncClient, foreign: Ids, named: str | None = None
) -> list[str]:
    """How the answers to foreign ids differ from those to ids that nobody has; ``named`` is a query parameter."""
    different: list[str] = []
    kind = None if named is None else dict(route.query_ids())[named]
    for _ in range(TRIES):
        seen = []
        for others in (unknown(), foreign):
            sent = dict(others) if kind is None else {kind: others[kind]}
            with statements() as heard:
                answer = await route.ask(
                    client, two.ours.ids | sent, **({named: others[kind]} if named and kind else {})
                )
            two.numbers["requests"] += 1
            seen.append((comparable(answer, sent), heard.copy()))
        (answer_to_none, sql_of_none), (answer_to_foreign, sql_of_foreign) = seen
        different = []
        if answer_to_none != answer_to_foreign:
            different.append(
                f"{route.name} {named or ''}: {answer_to_none} to nobody's, {answer_to_foreign} to others'"
            )
        if sql_of_none != sql_of_foreign:
            different.append(f"{route.name} {named or ''}: other statements: {sql_of_none} and {sql_of_foreign}")
        if not different:
            break
    return different


async def changed_by_others(two: Two, reads: Sequence[Route]) -> list[str]:
    """Reads that answer otherwise once another organization has written things of the same names: also in a count."""
    steady = [route for route in reads if not route.entry.unsteady]
    before = [await _rounded(two, route) for route in steady]
    await two.theirs.ask("POST", "/v1/assertions", {"statements": [CLAIM | {"object": str(uuid4())}]})
    more = DOCUMENT | {"record_key": f"{uuid4()}.txt", "text": f"Northgate is in Rye. {uuid4()}"}
    await two.theirs.ask("POST", "/v1/documents", more)
    await two.theirs.ask("POST", "/v1/workspaces", {"name": str(uuid4())})
    after = [await _rounded(two, route) for route in steady]
    pairs = zip(steady, before, after, strict=True)
    return [f"{route.name}: {was}, then {now}" for route, was, now in pairs if was != now]


async def _rounded(two: Two, route: Route) -> tuple[int, str]:
    """The answer to ours, without the digits that pass with time: what is recent counts for more."""
    status, _, text = comparable(await route.ask(two.ours.owner, two.ours.ids), {})
    two.numbers["requests"] += 1
    return status, re.sub(r"(\d\.\d{3})\d+", r"\1", text)
