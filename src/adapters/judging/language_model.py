"""Replaced values as a language model judges them."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from domain.identity.ids import GroupId, OrganizationId
from domain.knowledge.replacement import HeldTogether
from domain.ports.language_model import LanguageModel, ModelRequest, ModelRole
from domain.ports.replacement_judge import Judgement

PROMPT_NAME = "find_replacements"
PROMPT_VERSION = "v1"
SHOWN_QUOTE = 600
"""Characters of a quote that the model sees."""
TOKENS = 200


class LanguageModelReplacementJudge:
    """``ReplacementJudge`` in the role ``judge``. Facts go by short ids of the question's own, bound by the schema."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    @cached_property
    def _system(self) -> str:
        return Path(__file__).with_name("prompts").joinpath(f"{PROMPT_NAME}.{PROMPT_VERSION}.md").read_text("utf-8")

    async def judge(self, held: HeldTogether, *, organization_id: OrganizationId, group_id: GroupId) -> Judgement:
        ids = {f"V{number}": value.fact_id for number, value in enumerate(held.values, 1)}
        reply = await self._model.complete(
            ModelRequest(
                role=ModelRole.JUDGE,
                prompt_name=PROMPT_NAME,
                prompt_version=PROMPT_VERSION,
                system=self._system,
                user=_question(held, list(ids)),
                schema=_schema(list(ids)),
                schema_name="replacements",
                organization_id=organization_id,
                group_id=group_id,
                max_tokens=TOKENS,
            )
        )
        pairs = ((ids[each["older"]], ids[each["newer"]]) for each in reply.data["replaced"])
        return Judgement(tuple(dict.fromkeys(pairs)), reply.model, f"{PROMPT_NAME}.{PROMPT_VERSION}")


def _question(held: HeldTogether, ids: list[str]) -> str:
    lines = [f"<statement>\n{held.subject} {held.predicate} …\n</statement>"]
    for name, value in zip(ids, held.values, strict=True):
        since = f" since {value.valid_from.date().isoformat()}" if value.valid_from else ""
        quote = f"\n“{value.quote[:SHOWN_QUOTE]}”" if value.quote else ""
        seen = value.seen_at.date().isoformat()
        lines.append(f'<value id="{name}">\n{value.says}{since}, read {seen}{quote}\n</value>')
    return "\n".join(lines)


def _schema(ids: list[str]) -> dict[str, Any]:
    one = {"type": "string", "enum": ids}
    pair = {
        "type": "object",
        "properties": {"older": one, "newer": one},
        "required": ["older", "newer"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"replaced": {"type": "array", "items": pair, "maxItems": len(ids)}},
        "required": ["replaced"],
        "additionalProperties": False,
    }
