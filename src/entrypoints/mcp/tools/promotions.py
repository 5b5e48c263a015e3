"""A tool that offers a fact to a wider scope."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

from domain.identity.ids import FactId
from entrypoints.application import Application
from entrypoints.mcp.arguments import Scope
from entrypoints.mcp.sign_in import Call, SignIn
from entrypoints.mcp.tools.knowledge import FactIdArgument


class ProposedPromotion(BaseModel):
    """A promotion that waits for a person there; `sentence` and `sources` are all that the wider scope is told."""

    proposal_id: UUID
    fact_id: UUID
    sentence: str
    sources: list[str]
    revision: int | None = Field(default=None, description="Absent when you had proposed the same already.")


class PromotionTools:
    """Offering facts to wider scopes."""

    def __init__(self, app: Application, sign_in: SignIn) -> None:
        self._app = app
        self._sign_in = sign_in

    async def propose_promotion(
        self,
        call: Call,
        fact_id: FactIdArgument,
        to: Annotated[
            str,
            Field(
                description="The wider scope: 'organization' or a workspace around the fact's; from 'personal', any "
                "where you may write.",
                min_length=1,
                max_length=210,
            ),
        ],
        reason: Annotated[str, Field(description="Why others need it.", min_length=1, max_length=1_000)],
        scope: Scope = None,
    ) -> ProposedPromotion:
        """Offer a fact of a project, a workspace or your personal scope to a wider scope, when others need it, too. \
Only verified facts: confirmed by a person, or of a source of tier 1 or 2, and not contested; a refusal says what is \
missing.

        Only the statement and the titles of its sources go along. Nothing changes until a curator there approves it. \
The same again changes nothing."""
        access = await self._sign_in.access(call, scope)
        target = await self._sign_in.access(call, to)
        done = await self._app.knowledge.propose_promotion(access, target, FactId(fact_id), reason)
        return ProposedPromotion(
            proposal_id=done.proposal_id,
            fact_id=done.fact_id,
            sentence=done.sentence,
            sources=list(done.sources),
            revision=done.revision,
        )
