"""A small language model chooses the route."""

from __future__ import annotations

from typing import Any

from adapters.extraction.prompt_files import prompt_text
from domain.identity.ids import GroupId, OrganizationId
from domain.ingestion.routing import SAMPLE_SIZE, Route
from domain.ports.document_router import RouteSuggestion
from domain.ports.language_model import LanguageModel, ModelRequest, ModelRole

PROMPT_NAME = "route_document"
PROMPT_VERSION = "v1"
# "vector" is what older prompts of the field call text without facts; every kept document yields facts here.
_ROUTES = {"facts": Route.FACTS, "both": Route.BOTH, "vector": Route.BOTH, "discard": Route.DISCARD}
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "route": {"type": "string", "enum": list(_ROUTES)},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "reason": {"type": "string", "maxLength": 300},
    },
    "required": ["route", "confidence", "reason"],
    "additionalProperties": False,
}


class LanguageModelDocumentRouter:
    """``DocumentRouter``; one short question a document."""

    def __init__(self, language_model: LanguageModel) -> None:
        self._language_model = language_model

    async def suggest(
        self, sample: str, title: str | None, *, organization_id: OrganizationId, group_id: GroupId
    ) -> RouteSuggestion:
        heading = f"Title: {title}\n" if title else ""
        request = ModelRequest(
            role=ModelRole.ROUTING,
            prompt_name=PROMPT_NAME,
            prompt_version=PROMPT_VERSION,
            system=prompt_text(PROMPT_NAME, PROMPT_VERSION),
            user=f"{heading}<document>\n{sample[:SAMPLE_SIZE]}\n</document>",
            schema=_SCHEMA,
            schema_name="route",
            organization_id=organization_id,
            group_id=group_id,
            max_tokens=200,
        )
        data = (await self._language_model.complete(request)).data
        return RouteSuggestion(_ROUTES[data["route"]], float(data["confidence"]), data["reason"])
