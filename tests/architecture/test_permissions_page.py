"""docs/permissions.md has the permission table as the code has it. Written anew by running this file."""

from __future__ import annotations

from pathlib import Path

from domain.identity.grants import Grant, covered
from domain.identity.permissions import Action
from domain.identity.principal import Role

PAGE = Path(__file__).parents[2] / "docs" / "permissions.md"
BEGIN, END = "<!-- the table of domain/identity/permissions.py -->\n", "<!-- its end -->\n"


def table() -> str:
    """One row an action, by role and in the order of the code."""
    rows = ["| action | what for | least role | scope of a token |", "|---|---|---|---|"]
    for role in Role:
        rows += [
            f"| `{action.name}` | {action.words} | {role.value} | {action.grant.value} |"
            for action in Action
            if action.role is role
        ]
    return "\n".join(rows) + "\n"


def test_the_page_has_the_table_of_the_code() -> None:
    text = PAGE.read_text(encoding="utf-8")
    shown = text.split(BEGIN)[1].split(END)[0]
    assert shown == table(), "write it anew: PYTHONPATH=src:. python -m tests.architecture.test_permissions_page"


def test_a_grant_covers_itself_and_admin_covers_everything() -> None:
    for action in Action:
        for grant in Grant:
            assert covered(frozenset({grant}), action.grant) is (grant in (action.grant, Grant.ADMIN))


def test_what_decides_about_others_takes_the_widest_grant() -> None:
    """Reading, offering, voting and pinning have grants of their own; nothing that a curator does is among them."""
    for action in Action:
        decides = action.role.at_least(Role.CURATOR) or action in (Action.LEAVE, Action.MANAGE_OWN_KEYS)
        assert (action.grant is Grant.ADMIN) is decides, action


if __name__ == "__main__":
    before, after = PAGE.read_text(encoding="utf-8").split(BEGIN)[0], PAGE.read_text(encoding="utf-8").split(END)[1]
    PAGE.write_text(before + BEGIN + table() + END + after, encoding="utf-8")
