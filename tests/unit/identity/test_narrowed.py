"""Which of the scopes around a read sees, as it asks."""

from __future__ import annotations

import pytest

from domain.errors import InvalidInput
from domain.identity.ids import GroupId
from domain.identity.scope_name import ScopeKind, narrowed

ORG, WORK, PROJ, OWN = (GroupId(f"{letter}_{'0' * 32}") for letter in "owpu")


@pytest.mark.parametrize(
    ("chain", "within", "read"),
    [
        ((PROJ, WORK, ORG), ScopeKind.PROJECT, (PROJ,)),
        ((PROJ, WORK, ORG), ScopeKind.WORKSPACE, (PROJ, WORK)),
        ((PROJ, WORK, ORG), ScopeKind.ORGANIZATION, (PROJ, WORK, ORG)),
        ((WORK, ORG), ScopeKind.WORKSPACE, (WORK,)),
        ((OWN, ORG), ScopeKind.PERSONAL, (OWN,)),
        ((OWN, ORG), ScopeKind.WORKSPACE, (OWN,)),
        ((ORG,), ScopeKind.ORGANIZATION, (ORG,)),
    ],
)
def test_a_read_sees_what_it_asks_for(chain: tuple[GroupId, ...], within: ScopeKind, read: tuple[GroupId, ...]) -> None:
    assert narrowed(chain, within) == read


@pytest.mark.parametrize(
    ("chain", "within"),
    [((WORK, ORG), ScopeKind.PROJECT), ((ORG,), ScopeKind.WORKSPACE), ((PROJ, WORK, ORG), ScopeKind.PERSONAL)],
)
def test_nothing_to_read_is_refused_with_what_there_is(chain: tuple[GroupId, ...], within: ScopeKind) -> None:
    with pytest.raises(InvalidInput, match=r"organization$") as refused:
        narrowed(chain, within)
    assert refused.value.field == "within"
