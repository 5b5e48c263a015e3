"""A reader's vote on a hit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from application.ingestion.intake import Intake
from domain.errors import InvalidInput, NotFound
from domain.identity.access import Access
from domain.identity.ids import FactId, Revision
from domain.identity.permissions import Action, permit
from domain.ports.unit_of_work import UnitOfWork

MAX_QUERY = 2_000
MAX_SIGNALS = 20


class GiveFeedback:
    """Keeps whether a hit helped, with the signals that ranked it.

    - Every reader may vote; a token needs the scope feedback for it.
    - One vote a principal and fact; voting again replaces it.
    - Secrets and personal data in the query are masked by the scopes' policy.
    - A vote counts in reads from the revision that it saw on.
    """

    def __init__(self, unit_of_work: UnitOfWork, intake: Intake | None = None) -> None:
        self._unit_of_work = unit_of_work
        self._intake = intake

    async def __call__(
        self,
        access: Access,
        fact_id: FactId,
        helpful: bool,
        query: str | None = None,
        signals: Mapping[str, float] | None = None,
    ) -> Revision:
        """The revision that the vote saw. Raises NotFound for a fact outside the readable scopes, InvalidInput,
        Forbidden."""
        permit(access, Action.GIVE_FEEDBACK)
        if query is not None and len(query) > MAX_QUERY:
            raise InvalidInput(f"a query has at most {MAX_QUERY} characters, not {len(query)}", field="query")
        if signals is not None and len(signals) > MAX_SIGNALS:
            raise InvalidInput(f"send at most {MAX_SIGNALS} signals, not {len(signals)}", field="signals")
        # The vote is kept in the fact's scope, which may be any that the reader can read.
        wide = replace(access, write_scopes=access.read_scopes)
        async with self._unit_of_work(wide) as tx:
            if query is not None and self._intake is not None:
                query = self._intake.screen(await self._intake.policy(tx)).text(query)
            revision = await tx.feedback.give(fact_id, helpful, query, signals or {})
        if revision is None:
            raise NotFound(f"no fact {fact_id} in your scopes")
        return revision
