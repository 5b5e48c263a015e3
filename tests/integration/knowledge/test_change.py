"""Assertions become facts, and facts stay what their live assertions make them."""

from __future__ import annotations

import asyncio

from domain.knowledge.assertion import AssertionState, Claim, Mention, Polarity
from domain.knowledge.objects import TextValue
from tests.services.world import World

OPEN = "to_rev = 9223372036854775807"


def says(
    subject: str, predicate: str, target: str, *, kind: str | None = None, polarity: Polarity = Polarity.SUPPORT
) -> Claim:
    return Claim(Mention(subject, kind), predicate, Mention(target), 1.0, polarity)


async def test_a_claim_becomes_a_fact_with_evidence_and_a_standing(world: World) -> None:
    appended = await world.say(says("Acme", "founded by", "Ada Byron"))
    assert (appended.stored, appended.merged) == (1, 0)
    rows = await world.rows(
        f"""SELECT f.sentence, s.lifecycle, s.support, s.refute, e.excerpt, s.from_rev FROM facts f
            JOIN standings s USING (organization_id, fact_id) JOIN placements p USING (organization_id, fact_id)
            JOIN evidence e USING (organization_id, assertion_id) WHERE s.{OPEN}"""
    )
    assert [tuple(r) for r in rows] == [
        ("Acme was founded by Ada Byron", "active", True, False, "Acme founded by", appended.revision)
    ]


async def test_the_same_item_again_changes_nothing(world: World) -> None:
    first = await world.say(says("Acme", "founded by", "Ada Byron"))
    again = await world.say(says("Acme", "foundedBy", "Ada  Byron"))
    assert (again.stored, again.merged, again.revision) == (0, 1, None)
    assert [r["revision"] for r in await world.rows("SELECT revision FROM heads")] == [first.revision]


async def test_two_sources_of_one_fact_make_one_fact_with_more_mass(world: World) -> None:
    await world.say(says("Acme", "founded by", "Ada Byron"), source="a")
    await world.say(says("Acme", "founded by", "Ada Byron"), source="b")
    assert len(await world.rows("SELECT 1 FROM facts")) == 1
    assert len(await world.rows("SELECT 1 FROM standings")) == 2
    assert len(await world.rows(f"SELECT 1 FROM standings WHERE {OPEN}")) == 1


async def test_rivals_of_a_one_valued_predicate_are_seen_in_their_slot(world: World) -> None:
    await world.say(says("Acme", "headquartered in", "Lyon"), source="a")
    await world.say(says("Acme", "headquartered in", "Hanoi"), source="b")
    slots = await world.rows("SELECT DISTINCT slot_id FROM facts")
    assert len(slots) == 1
    assert len(await world.rows(f"SELECT DISTINCT fact_id FROM standings WHERE {OPEN}")) == 2


async def test_names_resolve_to_one_entity_and_kinds_keep_homonyms_apart(world: World) -> None:
    await world.say(says("ACME", "depends on", "billing", kind="service"))
    await world.say(says("acme", "depends on", "ledger", kind="service"), source="b")
    await world.say(says("Acme", "founded by", "Ada Byron", kind="organization"), source="c")
    names = await world.rows("SELECT kind FROM entities WHERE lower(name) = 'acme' ORDER BY kind")
    assert [r["kind"] for r in names] == ["organization", "service"]
    await world.say(says("Acme", "located in", "Lyon", kind="company"), source="d")
    again = await world.rows("SELECT kind FROM entities WHERE lower(name) = 'acme' ORDER BY kind")
    assert again == names, "a company is an organization"
    await world.say(
        says("Brik", "located in", "Lyon", kind="company"),
        says("Brik", "founded by", "Ada Byron", kind="organisation"),
        says("Brik", "depends on", "ledger", kind=None),
        source="e",
    )
    assert len(await world.rows("SELECT 1 FROM entities WHERE name = 'Brik'")) == 1


async def test_a_name_without_a_kind_means_its_only_namesake_of_the_batch(world: World) -> None:
    await world.say(says("Gateway", "depends on", "Billing", kind="service"), says("Orders", "depends on", "Gateway"))
    assert len(await world.rows("SELECT 1 FROM entities WHERE name = 'Gateway'")) == 1


async def test_an_alias_leads_later_mentions_to_the_same_entity(world: World) -> None:
    await world.say(says("Acme Corporation", "founded by", "Ada Byron"))
    await world.say(says("The Anvil Makers", "alias of", "Acme Corporation"))
    await world.say(says("The Anvil Makers", "located in", "Lyon"))
    rows = await world.rows(
        "SELECT r.rule FROM mentions m JOIN resolutions r USING (organization_id, mention_id) ORDER BY m.mention_id"
    )
    # Within one stream a name means one thing: the mention that made the alias stays as it was resolved.
    assert "new" in {r["rule"] for r in rows}
    await world.say(says("The Anvil Makers", "located in", "Lyon"), source="b")
    rules = await world.rows(
        """SELECT r.rule FROM mentions m JOIN resolutions r USING (organization_id, mention_id)
           WHERE m.normal = 'the anvil makers' ORDER BY m.mention_id"""
    )
    assert rules[-1]["rule"] == "alias"


async def test_an_alias_that_waited_names_its_entity_once_it_is_approved_and_no_longer_once_it_is_taken_back(
    world: World,
) -> None:
    await world.say(says("Acme Corporation", "founded by", "Ada Byron"))
    waiting = await world.say(says("The Anvil Makers", "alias of", "Acme Corporation"), state=AssertionState.PENDING)
    (alias,) = waiting.placed

    async def named(source: str) -> str:
        await world.say(says("The Anvil Makers", "located in", "Lyon"), source=source)
        rows = await world.rows(
            """SELECT e.name FROM mentions m JOIN resolutions r USING (organization_id, mention_id)
               JOIN entities e USING (organization_id, entity_id) JOIN documents d USING (organization_id, document_id)
               JOIN sources s ON s.source_id = d.source_id
               WHERE m.normal = 'the anvil makers' AND s.name = $1""",
            source,
        )
        return str(rows[0]["name"])

    assert await named("before") == "The Anvil Makers"
    await world.decide.assertions(world.access, [alias], True, None, False)
    assert await named("approved") == "Acme Corporation"
    await world.retract.assertion(world.access, alias, None)
    assert await named("after") == "The Anvil Makers"


async def test_eight_writers_on_shared_slots_lose_no_rival_and_do_not_deadlock(world: World) -> None:
    async def writer(n: int) -> None:
        for i in range(5):
            claims = [says(f"Plant {k}", "headquartered in", f"City {n}") for k in ((i + n) % 5, (i * 3) % 5, 4 - i)]
            await world.say(*claims, source=f"source {n}")

    await asyncio.gather(*(writer(n) for n in range(8)))
    rows = await world.rows(
        f"""SELECT f.slot_id, count(DISTINCT f.fact_id) AS facts, count(DISTINCT s.fact_id) AS standing FROM facts f
            LEFT JOIN standings s ON s.organization_id = f.organization_id AND s.fact_id = f.fact_id AND s.{OPEN}
            GROUP BY 1"""
    )
    assert len(rows) == 5
    assert all(r["facts"] == 8 == r["standing"] for r in rows)
    broken = await world.rows("SELECT lifecycle, count(*) FROM standings WHERE to_rev = 9223372036854775807 GROUP BY 1")
    assert broken
    async with world.unit_of_work(world.access) as tx:
        assert await tx.chronicle.chain_faults(1) == []


async def test_text_objects_are_found_in_the_search_table(world: World) -> None:
    await world.say(Claim(Mention("Acme"), "has status", TextValue("đang hoạt động"), 1.0))
    connection = await world.pool.acquire()
    try:
        assert await connection.fetchval("SELECT has_table_privilege('facts_search', 'SELECT')") is False
    finally:
        await world.pool.release(connection)
    assert [r["sentence"] for r in await world.rows("SELECT sentence FROM facts")] == [
        "Acme has the status đang hoạt động"
    ]
