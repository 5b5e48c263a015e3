"""A record of a few facts, written row by row, for tests of reads."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

import asyncpg

from domain.identity.access import Access
from domain.identity.ids import EntityId, FactId, GroupId, OrganizationId, PrincipalId, StandingId
from domain.identity.principal import Principal, PrincipalKind, Role
from domain.resolution.names import normal_name

OBSERVED = datetime(2025, 12, 1, tzinfo=UTC)


def made_id(*parts: object) -> UUID:
    """An id that depends on the parts only."""
    return UUID(hashlib.md5(repr(parts).encode(), usedforsecurity=False).hexdigest())


def insert(table: str, **values: object) -> tuple[str, list[object]]:
    places = ", ".join(f"${n}" for n in range(1, len(values) + 1))
    return f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places}) ON CONFLICT DO NOTHING", list(values.values())


@dataclass
class SmallRecord:
    """One organization with a workspace in it. Facts go to ``scope``: "work" (default) or "whole"."""

    connection: asyncpg.Connection
    name: str = "acme"
    revision: int = 1
    count: int = field(default=0)

    @property
    def organization(self) -> UUID:
        return made_id("organization", self.name)

    def group(self, scope: str) -> GroupId:
        return GroupId(("w_" if scope == "work" else "o_") + self.organization.hex)

    def access(self, *scopes: str, role: Role = Role.MEMBER) -> Access:
        """Reads the scopes, narrowest first; both when none is named."""
        principal = Principal(
            PrincipalId(self.organization), OrganizationId(self.organization), PrincipalKind.HUMAN, role, "test", "Ann"
        )
        groups = tuple(self.group(scope) for scope in scopes or ("work", "whole"))
        return Access(principal, groups, groups[0])

    async def put(self, table: str, **values: object) -> None:
        statement, arguments = insert(table, organization_id=self.organization, **values)
        await self.connection.execute(statement, *arguments)

    async def start(self) -> SmallRecord:
        """The organization, its scopes, one source of each tier."""
        await self.connection.execute("SET search_path = assay, public")
        groups = f"{self.group('work')},{self.group('whole')}"
        settings = {"organization": str(self.organization), "read_scopes": groups, "write_scopes": groups}
        for setting, value in settings.items():
            await self.connection.execute("SELECT set_config($1, $2, false)", f"app.{setting}", value)
        whole = self.group("whole")
        await self.put("organizations", name=self.name)
        await self.put("heads", revision=1, hash=b"")
        await self.put("principals", principal_id=self.organization, kind="human", name="Ann")
        await self.put("scopes", group_id=whole, scope_id=made_id(whole), kind="organization", name="whole")
        await self.put(
            "scopes",
            group_id=self.group("work"),
            scope_id=made_id(self.group("work")),
            kind="workspace",
            container_id=whole,
            name="work",
        )
        for tier in (1, 2, 3, 4):
            source = made_id(self.name, "source", tier)
            await self.put("sources", group_id=whole, source_id=source, kind="folder", name=f"tier {tier}", revision=1)
            await self.put("source_grades", group_id=whole, source_id=source, tier=tier, from_rev=1)
        return self

    async def entity(
        self, name: str, kind: str = "thing", scope: str = "whole", *, aliases: Sequence[str] = ()
    ) -> EntityId:
        """The entity of a name; made once. Aliases are further names of the same entity."""
        made = made_id(self.name, "entity", name)
        group = self.group(scope)
        await self.put("entities", group_id=group, entity_id=made, kind=kind, name=name, revision=self.revision)
        for each in (name, *aliases):
            await self.put(
                "names", group_id=group, entity_id=made, name=each, normal=normal_name(each), from_rev=self.revision
            )
        return EntityId(made)

    async def document(self, title: str, text: str = "", *, tier: int = 2, collection: str | None = None) -> UUID:
        """A completed document of one version, by its title."""
        made, group, source = (
            made_id(self.name, "document", title),
            self.group("work"),
            made_id(self.name, "source", tier),
        )
        collection_id = None
        if collection is not None:
            collection_id = made_id(self.name, "collection", collection)
            await self.put("collections", group_id=group, collection_id=collection_id, name=collection, revision=1)
        await self.put(
            "documents",
            group_id=group,
            document_id=made,
            source_id=source,
            collection_id=collection_id,
            record_key=title,
            revision=self.revision,
        )
        await self.put(
            "artifacts",
            group_id=group,
            source_id=source,
            content_hash=title,
            object_key=title,
            key_id="k",
            size=1,
            revision=1,
        )
        await self.put(
            "document_versions",
            group_id=group,
            version_id=made,
            document_id=made,
            source_id=source,
            content_hash=title,
            title=title,
            content_type="text/plain",
            source_uri=f"file:///{title}",
            retrieved_at=OBSERVED,
            published_at=OBSERVED,
            gate="live",
            text=text,
            principal_id=self.organization,
            principal_kind="human",
            revision=self.revision,
        )
        await self.put("document_states", group_id=group, version_id=made, status="completed", from_rev=self.revision)
        await self.put(
            "runs",
            group_id=group,
            run_id=made,
            version_id=made,
            recipe="r",
            extractor="test",
            extractor_version="1",
            revision=1,
        )
        return made

    async def chunk(self, document: UUID, text: str, start: int = 0, *, embed: bool = True) -> UUID:
        """A chunk of the document."""
        made = made_id(self.name, "chunk", document, start)
        await self.put(
            "chunks",
            group_id=self.group("work"),
            chunk_id=made,
            version_id=document,
            document_id=document,
            ordinal=start,
            start_offset=start,
            end_offset=start + len(text),
            text=text,
            embed=embed,
            from_rev=self.revision,
        )
        return made

    async def fact(
        self,
        subject: str,
        predicate: str,
        object: str,
        *,
        scope: str = "work",
        lifecycle: str = "active",
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        corrected: bool = False,
        slot: str | None = None,
        tier: int = 2,
        confidence: float = 0.9,
        kind: str = "fact",
        asserter: str | None = None,
        document: UUID | None = None,
        excerpt: str | None = None,
        start: int = 0,
        chunk: UUID | None = None,
        sentence: str | None = None,
        observed_at: datetime = OBSERVED,
        verification: str = "auto",
        state: str = "live",
    ) -> FactId:
        """A fact with one segment, one live assertion and its evidence. ``slot`` names what rivals share."""
        self.count += 1
        subject_id, object_id = await self.entity(subject), await self.entity(object)
        group, key = self.group(scope), f"{subject} {predicate} {object}"
        fact, slot_key = made_id(self.name, "fact", scope, key), slot or key
        slot_id = made_id(self.name, "slot", scope, slot_key)
        document = document or await self.document("notes")
        sentence = sentence or f"{subject} {predicate.lower().replace('_', ' ')} {object}"
        shared = {"group_id": group, "fact_id": fact}
        await self.put("slots", group_id=group, slot_id=slot_id, key=slot_key.encode())
        triple = {"subject_id": subject_id, "predicate": predicate, "object_id": object_id, "object_key": object_id}
        await self.put(
            "facts", **shared, **triple, key=key.encode(), slot_id=slot_id, sentence=sentence, revision=self.revision
        )
        mentions = []
        for name, entity in ((subject, subject_id), (object, object_id)):
            mention = made_id(self.name, "mention", document, name)
            mentions.append(mention)
            await self.put(
                "mentions",
                group_id=group,
                mention_id=mention,
                version_id=document,
                document_id=document,
                surface=name,
                normal=normal_name(name),
                revision=self.revision,
            )
            await self.put(
                "resolutions", group_id=group, mention_id=mention, entity_id=entity, rule="exact", score=1.0, from_rev=1
            )
        assertion = made_id(self.name, "assertion", self.count)
        await self.put(
            "assertions",
            group_id=group,
            assertion_id=assertion,
            key=assertion.bytes,
            document_id=document,
            version_id=document,
            run_id=document,
            source_id=made_id(self.name, "source", tier),
            principal_id=self.organization,
            principal_kind="human",
            predicate=predicate,
            subject_mention=mentions[0],
            object_mention=mentions[1],
            polarity="support",
            kind=kind,
            asserter=asserter,
            confidence=confidence,
            valid_from_state="unknown",
            valid_to_state="unknown",
            observed_at=observed_at,
            independence_key="one",
            corrects_fact=fact if corrected else None,
            corrects_revision=1 if corrected else None,
            revision=self.revision,
        )
        excerpt = excerpt or sentence
        await self.put(
            "evidence",
            group_id=group,
            assertion_id=assertion,
            kind="span",
            version_id=document,
            chunk_id=chunk,
            start_offset=start,
            end_offset=start + len(excerpt),
            excerpt=excerpt,
            revision=self.revision,
        )
        await self.put("placements", **shared, assertion_id=assertion, state=state, from_rev=self.revision)
        await self.put(
            "standings",
            **shared,
            **triple,
            standing_id=self.standing(fact),
            slot_id=slot_id,
            valid_from=valid_from,
            valid_to=valid_to,
            lifecycle=lifecycle,
            support=lifecycle not in ("refuted", "proposed"),
            refute=lifecycle in ("refuted", "disputed"),
            confidence=confidence,
            support_mass=confidence,
            refute_mass=0.0,
            score=confidence,
            reason="unrivalled",
            tier=tier,
            verification=verification,
            kind=kind,
            corrected=corrected,
            observed_at=observed_at,
            standing_hash=b"",
            from_rev=self.revision,
        )
        return FactId(fact)

    def standing(self, fact: UUID) -> StandingId:
        return StandingId(made_id("standing", fact, self.revision))

    async def close(self, fact: UUID, revision: int) -> None:
        """End the fact's current standings at a revision."""
        await self.connection.execute(
            "UPDATE standings SET to_rev = $2 WHERE fact_id = $1 AND to_rev = 9223372036854775807", fact, revision
        )
