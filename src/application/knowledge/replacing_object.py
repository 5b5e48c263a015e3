"""Whether an object can take the place of a fact's own."""

from __future__ import annotations

from domain.errors import InvalidInput
from domain.knowledge.assertion import Mention
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.kinds import object_fits
from domain.knowledge.naming import FIXED
from domain.knowledge.objects import EntityRef, Literal
from domain.knowledge.predicate import Vocabulary
from domain.ports.record import FactRow
from domain.ports.unit_of_work import Transaction


async def require_fitting(tx: Transaction, fact: FactRow, target: Mention | Literal | None) -> None:
    """Raises InvalidInput for an object of another kind than the predicate takes.

    The policy's kinds say what it takes; without any, a thing stands for a thing and a literal for a literal, unless
    facts of the predicate have both.
    """
    if target is None or fact.predicate in FIXED:
        return
    policy = Vocabulary.of((*CORE_VOCABULARY, *await tx.predicates.policies())).read(fact.predicate).canonical
    if policy.object_kinds:
        if not object_fits(target, policy):
            kinds = ", ".join(sorted(policy.object_kinds))
            raise InvalidInput(
                f"the object of {fact.predicate} is of the kinds: {kinds}; give one of these", field="object"
            )
        return
    literal = not isinstance(target, Mention)
    if literal is not isinstance(fact.object, EntityRef):
        return
    if not await tx.predicates.has_objects(fact.predicate, literal=literal):
        wanted = "a thing: give its name, not a value" if literal else 'a value: write it as one, such as {"text": "…"}'
        raise InvalidInput(f"the object of {fact.predicate} is {wanted}", field="object")
