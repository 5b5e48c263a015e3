"""What users of such systems suffer from: one thing as several, several as one, names that vanish. Every engine."""

from __future__ import annotations

import asyncio

import pytest

from domain.knowledge.assertion import Claim, Mention
from tests.integration.complaints.seeing import Seen
from tests.services.contradicting import claim

pytestmark = [pytest.mark.services, pytest.mark.slow]


def works_for(name: str, kind: str | None, firm: str) -> Claim:
    return Claim(Mention(name, kind), "works for", Mention(firm), 1.0)


async def test_one_name_is_one_node_also_when_it_is_said_at_once(seen: Seen) -> None:
    """graphiti#1734: sources that meet a new name at the same moment make one entity."""
    acme = seen.name("Once")
    said = [seen.world.say(claim(acme, "owns", f"Ship {n}"), source=f"{n} {seen.tag}") for n in range(6)]
    await asyncio.gather(*said)
    facts = await seen.around(acme)
    assert len(facts) == 6
    assert len({fact.subject.id for fact in facts}) == 1
    assert await seen.entities(acme) == [(acme, "thing")]


async def test_case_space_and_form_of_writing_make_no_second_node(seen: Seen) -> None:
    """LightRAG#1726: a name is the same in capitals, with more space and in another Unicode form."""
    name = seen.name("Café Ånd")
    for n, form in enumerate(
        (name, name.upper(), f"  {name.replace(' ', '   ')} ", "Cafe\u0301 A\u030and " + seen.tag)
    ):
        await seen.world.say(claim(form, "owns", f"Cup {n}"))
    facts = await seen.around(name)
    assert sorted(fact.sentence or "" for fact in facts) == [f"{name} owns Cup {n}" for n in range(4)]
    assert len({fact.subject.id for fact in facts}) == 1


async def test_what_only_looks_alike_is_never_merged(seen: Seen) -> None:
    """graphiti#1771: nothing fuzzy merges, at no threshold."""
    names = [seen.name(n) for n in ("Acme Corp", "Acme Corporation", "Acne Corp", "Acme Corp 2", "Acmé Corp")]
    await seen.world.say(*(claim(name, "owns", f"Yard {n}") for n, name in enumerate(names)))
    for n, name in enumerate(names):
        assert [fact.sentence for fact in await seen.around(name)] == [f"{name} owns Yard {n}"]
    assert len(await seen.entities(*names)) == 5


async def test_homonyms_stay_apart(seen: Seen) -> None:
    """LightRAG#2402: a person and a firm of one name are two, each with its own facts."""
    name = seen.name("John Smith")
    await seen.world.say(works_for(name, "person", "Acme"), works_for(name, "company", "State"))
    assert sorted(await seen.entities(name)) == [(name, "company"), (name, "person")]
    found = {}
    for row in await seen.world.rows("SELECT entity_id, kind FROM entities WHERE name = $1", name):
        found[row["kind"]] = [told for told, _ in await seen.told(row["entity_id"])]
    assert found == {"person": ["John Smith works for Acme"], "company": ["John Smith works for State"]}


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Nguyễn Văn Đạt", "Nguyễn Văn Đát"),
        ("北京字节跳动科技有限公司", "北京字节跳动网络有限公司"),
        ("شركة أرامكو", "شركة أوراسكوم"),
        ("株式会社日立", "株式会社東芝"),
        ("Яндекс", "Яндех"),
        ("!!!", "???"),
    ],
)
async def test_names_of_every_script_are_kept_and_never_merged(seen: Seen, name: str, other: str) -> None:
    """graphiti#312, LightRAG#2497, graphrag#608: stored as written, found exactly, apart from what looks alike."""
    for each in (name, other):
        await seen.world.say(claim(each, "has depot", seen.name(f"Depot {each}")))
    facts = [f.sentence for f in await seen.around(name) if (f.sentence or "").endswith(seen.tag)]
    assert facts == [f"{name} has depot {seen.name(f'Depot {name}')}"]
    assert sorted(await seen.entities(name, other)) == sorted([(name, "thing"), (other, "thing")])
    assert await seen.equals_the_record()
