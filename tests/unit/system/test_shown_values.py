"""Values in messages are cut, and their length is that of the value, not of its quotes."""

from __future__ import annotations

from domain.errors import SHOWN, shown


def test_a_long_text_is_cut_and_its_own_length_is_told() -> None:
    assert shown("x" * 10_000) == f"'{'x' * (SHOWN - 1)}… (10000 characters)"


def test_a_short_value_is_shown_whole() -> None:
    assert (shown("abc"), shown(7), shown(["a"])) == ("'abc'", "7", "['a']")
