"""Changing the predicates of an organization: every fact that reads otherwise is placed anew, in one mutation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from application.identity.access import AccessResolver
from application.knowledge.commit import committed, follow_up
from application.knowledge.moving import Effect, Moves, prepare_moves
from application.projection.tenant import organization_wide, root_of
from domain.errors import Conflict, InvalidInput
from domain.identity.access import Access
from domain.identity.ids import Revision
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.naming import FIXED
from domain.knowledge.predicate import PredicatePolicy, Reading, Vocabulary, predicate_name
from domain.ports.ids import Ids
from domain.ports.journal import Entry, MovedOn
from domain.ports.key_store import KeyStore
from domain.ports.record import RowSet
from domain.ports.unit_of_work import Transaction, UnitOfWork

LARGE_SHARE, LARGE_FACTS = 0.1, 10
"""A change that takes away or disputes more than both is confirmed by name."""
WRITTEN = 2_000
"""Rows of a set that are written by one statement."""


@dataclass(frozen=True, slots=True)
class VocabularyChanged:
    """What a change did, or would do: then ``revision`` is None."""

    effect: Effect
    revision: Revision | None


class _OnlyTried(Exception):
    """Ends a dry run, so that nothing of it is kept."""

    def __init__(self, effect: Effect) -> None:
        super().__init__()
        self.effect = effect


class ChangeVocabulary:
    """Sets policies, or takes an organization's own away again.

    - A predicate that becomes a synonym, an inverse or a deprecated name takes its facts along; what it was stated as
      stays in the assertions, so that setting it back brings everything back.
    - One transaction and one revision: no read ever sees half of it. Writers that placed under the old vocabulary
      begin again.
    - A dry run does the same and keeps nothing.
    - What takes away or disputes many facts is done only when each changed predicate is confirmed by its name.
    """

    def __init__(self, resolver: AccessResolver, unit_of_work: UnitOfWork, keys: KeyStore, ids: Ids) -> None:
        self._resolver = resolver
        self._unit_of_work = unit_of_work
        self._keys = keys
        self._ids = ids

    async def __call__(
        self,
        access: Access,
        policies: Sequence[PredicatePolicy],
        *,
        remove: Sequence[str] = (),
        reason: str | None = None,
        dry_run: bool = False,
        confirmed: Sequence[str] = (),
        beside: Callable[[Transaction], Awaitable[None]] | None = None,
    ) -> VocabularyChanged:
        """Raises InvalidInput for policies that contradict each other, Conflict for a large change not confirmed.

        Forbidden without the role admin in the organization's own scope. ``beside`` is done first, in the same
        transaction, in the organization's own scope.
        """
        whole = replace(await organization_wide(self._resolver, access), principal=access.principal)
        names = sorted({*(p.name for p in policies), *map(predicate_name, remove)})
        if not names or len(names) < len(policies) + len(remove):
            raise InvalidInput("name at least one predicate, and each once", field="predicates")
        if fixed := sorted(FIXED.intersection(names)):
            raise InvalidInput(
                f"{' and '.join(fixed)} say what things are called; their policy is fixed", field="predicates"
            )
        key = await self._keys.organization_key(access.organization_id)

        async def work(tx: Transaction) -> VocabularyChanged:
            if beside is not None:
                await beside(tx)
            head = await tx.journal.head()
            own = {policy.name: policy for policy in await tx.predicates.policies()}
            before = Vocabulary.of((*CORE_VOCABULARY, *own.values()))
            wanted = {n: p for n, p in own.items() if n not in names} | {p.name: p for p in policies}
            after = checked(Vocabulary.of((*CORE_VOCABULARY, *wanted.values())), names)
            touched = affected(before, after, own.keys() | wanted.keys())
            moves = await prepare_moves(tx.record, tx.predicates, key, touched, after, self._ids)
            if dry_run:
                raise _OnlyTried(moves.effect)
            _require_confirmed(moves.effect, names, confirmed)
            entry = Entry(
                "change_vocabulary",
                root_of(whole),
                {"predicates": names, "assertions": moves.effect.assertions, "moved": moves.effect.moved},
                reason=reason,
                placed_under=head,
                changes_vocabulary=True,
            )
            revision = await tx.journal.advance(entry)
            if await tx.predicates.predicates_changed_since(touched, head.revision):
                raise MovedOn
            await tx.predicates.unset_policies(names, revision)
            await tx.predicates.set_policies(policies, revision)
            await _write(tx, moves, revision)
            await tx.jobs.enqueue(follow_up(root_of(whole)))
            return VocabularyChanged(moves.effect, revision)

        try:
            return await committed(self._unit_of_work, whole, work)
        except _OnlyTried as tried:
            return VocabularyChanged(tried.effect, None)


def affected(before: Vocabulary, after: Vocabulary, names: Iterable[str]) -> list[str]:
    """The names that facts are kept under which read otherwise afterwards, sorted."""
    kept: set[str] = set()
    asked = {*names, *before.policies, *after.policies, *before.canonical, *after.canonical}
    for name in asked:
        earlier, later = before.read(name), after.read(name)
        former, latter = _policies(earlier), _policies(later)
        if [*map(_meaning, former)] != [*map(_meaning, latter)]:
            kept |= {name, *(policy.name for policy in (*former, *latter))}
    return sorted(kept)


def _policies(reading: Reading) -> tuple[PredicatePolicy, ...]:
    """Those that facts stated so may be kept under."""
    return reading.stated, reading.canonical, reading.of_date


def _meaning(policy: PredicatePolicy) -> PredicatePolicy:
    """The policy without what changes no fact."""
    return replace(policy, synonyms=(), phrase=None, reviewed=True, subject_kinds=frozenset(), object_kinds=frozenset())


def checked(vocabulary: Vocabulary, names: Sequence[str]) -> Vocabulary:
    """Raises InvalidInput where a name would have two meanings or none."""
    taken: dict[str, str] = {}
    for policy in vocabulary.policies.values():
        for synonym in map(predicate_name, policy.synonyms):
            own = vocabulary.policies.get(synonym)
            if policy.name in names or synonym in names or taken.get(synonym) in names:
                if own is not None and own.replaced_by is None:
                    raise InvalidInput(
                        f"{synonym} is a predicate of its own; deprecate it with replaced_by {policy.name} instead of "
                        "naming it a synonym",
                        field="synonyms",
                    )
                if synonym in taken:
                    raise InvalidInput(
                        f"{synonym} is a synonym of {taken[synonym]} already; take it away there first",
                        field="synonyms",
                    )
            taken[synonym] = policy.name
    for name in names:
        reading = vocabulary.read(name)
        if reading.canonical.replaced_by is not None:
            raise InvalidInput(
                f"{name} leads to {reading.canonical.name}, which is itself replaced by "
                f"{reading.canonical.replaced_by}; name a predicate that stays",
                field="replaced_by",
            )
    return vocabulary


def _require_confirmed(effect: Effect, names: Sequence[str], confirmed: Sequence[str]) -> None:
    harmed = len(effect.lost) + len(effect.disputed)
    if harmed > max(LARGE_FACTS, LARGE_SHARE * effect.facts) and sorted(map(predicate_name, confirmed)) != list(names):
        raise Conflict(
            f"of {effect.facts} facts this takes away {len(effect.lost)} and disputes {len(effect.disputed)}; look at "
            f"a dry run, and confirm it by name: {', '.join(names)}"
        )


async def _write(tx: Transaction, moves: Moves, revision: Revision) -> None:
    for group, rows in moves.rows.items():
        for part in parts_of(rows, WRITTEN):
            await tx.record.write(part, revision, group)
    await tx.predicates.rehouse(moves.rehoused, revision)


def parts_of(rows: RowSet, size: int) -> list[RowSet]:
    """The rows in parts of at most ``size`` a set, in an order that no reference is written before what it names."""
    order = ("facts", "close_placements", "open_placements", "close_standings", "open_standings")
    parts = []
    for name in order:
        whole = getattr(rows, name)
        parts += [RowSet(**{name: whole[start : start + size]}) for start in range(0, len(whole), size)]
    return parts
