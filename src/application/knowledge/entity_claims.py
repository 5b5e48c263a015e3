"""What an edit of an entity says as claims, and when it may not be said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from application.knowledge.seen import require_seen
from domain.errors import Conflict, ContentErased, InvalidInput, NotFound, StaleRevision, shown
from domain.identity.access import Access
from domain.identity.ids import EntityId, Revision
from domain.knowledge.assertion import Claim, ClaimKind, Mention, Polarity
from domain.knowledge.concept import CONCEPT
from domain.knowledge.kinds import kind_family
from domain.knowledge.naming import ALIAS_OF, CANONICAL_NAME, ENTITY_KIND, HAS_DESCRIPTION
from domain.knowledge.objects import Literal, TextValue
from domain.knowledge.time import OPEN_BOUND
from domain.ports.entities import SaidOf, ShownEntity
from domain.ports.unit_of_work import Transaction
from domain.resolution.entity_edit import EntityEdit
from domain.resolution.names import normal_name


@dataclass(frozen=True, slots=True)
class Told:
    """A claim, and which entities its names mean."""

    claim: Claim
    means: Sequence[tuple[Mention, EntityId]]


async def require_possible(tx: Transaction, access: Access, edit: EntityEdit) -> ShownEntity:
    """The entity, when it can be edited so. Raises NotFound, InvalidInput, ContentErased and Conflict."""
    entity = await _editable(tx, access, edit.entity_id)
    await require_seen(tx, edit.saw)
    await _require_unedited(tx, entity, edit.saw)
    await _require_free(tx, entity, edit)
    return entity


async def _editable(tx: Transaction, access: Access, entity_id: EntityId) -> ShownEntity:
    found = await tx.entities.shown(entity_id)
    if found is None:
        raise NotFound(f"no entity {entity_id} in your scopes")
    if found.erased:
        raise ContentErased(f"what was known about the entity {entity_id} was erased; there is nothing to edit")
    if found.group_id != access.write_scope:
        raise InvalidInput(
            "the entity belongs to another scope than the one you write in; name that scope", field="scope"
        )
    return found


async def _require_unedited(tx: Transaction, entity: ShownEntity, saw: Revision) -> None:
    last = await tx.entities.edited(entity.id)
    if last.revision > saw:
        raise StaleRevision(
            f"the entity was edited at revision {last.revision}{f' by {last.by}' if last.by else ''}, after revision "
            f"{saw} which you looked at: it is called {shown(entity.name)} and is {_kind(entity.kind)} now; look at "
            "it again, and send the edit with its present revision"
        )


async def _require_free(tx: Transaction, entity: ShownEntity, edit: EntityEdit) -> None:
    kind = edit.kind or entity.kind
    if edit.kind is not None and edit.kind != entity.kind and CONCEPT in (edit.kind, entity.kind):
        raise InvalidInput("a concept is a statement, and no other thing; its kind stays", field="kind")
    wanted = ([("name", edit.name)] if edit.name is not None else []) + [("aliases", each) for each in edit.aliases]
    for field, name in wanted:
        for other in await tx.entities.named(normal_name(name), entity.id):
            if other.erased or (_differ(kind, other.kind)):
                continue
            if field == "name" and edit.homonym:
                continue
            way = (
                "if they are two things of one name, say so with homonym"
                if field == "name"
                else "an alias leads to one thing only; choose another name"
            )
            raise Conflict(
                f"{shown(name)} is a name of the entity {other.id} already, which is called {shown(other.name)} and "
                f"is {_kind(other.kind)}; {way}. Merging two entities is not offered yet"
            )


def _differ(kind: str | None, other: str | None) -> bool:
    return kind is not None and other is not None and kind_family(kind) != kind_family(other)


async def claims_of(tx: Transaction, entity: ShownEntity, edit: EntityEdit) -> list[Told]:
    """What the edit says, in order: denials before what holds instead. Raises InvalidInput for what is no alias."""
    told: list[Told] = []
    if edit.name is not None:
        told.append(_own(entity, CANONICAL_NAME, edit.name))
    if edit.kind is not None:
        told.append(_own(entity, ENTITY_KIND, edit.kind))
    for name in edit.not_aliases:
        told += [_denied_alias(entity, said) for said in await _aliases(tx, entity, name)]
    told += [_own(entity, ALIAS_OF, name) for name in edit.aliases]
    if edit.description is not None:
        for said in await tx.entities.descriptions(entity.id):
            if TextValue(said.text) != TextValue(edit.description):
                told.append(_own(entity, HAS_DESCRIPTION, said.text, Polarity.REFUTE))
        told.append(_own(entity, HAS_DESCRIPTION, edit.description))
    return told


async def _aliases(tx: Transaction, entity: ShownEntity, name: str) -> Sequence[SaidOf]:
    found = await tx.entities.aliases(entity.id, normal_name(name))
    if not found:
        raise InvalidInput(
            f"nothing says that {shown(name)} is an alias of {shown(entity.name)}; names that documents call it by "
            "stay, and what it is called is changed by renaming it",
            field="not_aliases",
        )
    return found


def _own(entity: ShownEntity, predicate: str, text: str, polarity: Polarity = Polarity.SUPPORT) -> Told:
    own = _mention(entity)
    return Told(_claim(own, predicate, TextValue(text), polarity), ((own, entity.id),))


def _denied_alias(entity: ShownEntity, said: SaidOf) -> Told:
    if said.object_id is None:
        return _own(entity, ALIAS_OF, said.text, Polarity.REFUTE)
    alias, own = Mention(said.text), _mention(entity)
    return Told(_claim(alias, ALIAS_OF, own, Polarity.REFUTE), ((alias, said.subject_id), (own, said.object_id)))


def _mention(entity: ShownEntity) -> Mention:
    return Mention(entity.mentioned_as, entity.mentioned_kind)


def _claim(subject: Mention, predicate: str, target: Mention | Literal, polarity: Polarity) -> Claim:
    return Claim(subject, predicate, target, 1.0, polarity, ClaimKind.FACT, None, OPEN_BOUND, OPEN_BOUND)


def _kind(kind: str | None) -> str:
    return f"of the kind {kind}" if kind else "of no known kind"
