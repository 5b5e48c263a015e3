from __future__ import annotations

import pytest

from adapters.parsing.markdown import parse_markdown


@pytest.mark.parametrize(
    ("markdown", "title"),
    [
        ("# Use *PostgreSQL* for `jobs`\n\ntext", "Use PostgreSQL for jobs"),
        ("text\n\nSet in\ntwo lines\n---\n", "Set in two lines"),
        ("```\n# no heading\n```\n\n## Trụ sở [Hà Nội](http://x)\n", "Trụ sở Hà Nội"),
        ("#\n\n## Second\n", "Second"),
        ("no heading", None),
        ("---\nid: 1\ntitle: \"The \\\"boot.ini\\\" issue\"\n---\n\n# Heading\n", 'The "boot.ini" issue'),
        ("---\ntitle: 'It''s down'\n---\ntext", "It's down"),
        ("---\ntitle: Plain: with colon # and comment\n...\ntext", "Plain: with colon"),
        ("---\nsubtitle: x\ntitle: \n---\n# Heading\n", "Heading"),
        ("---\ntitle: >-\n  folded\n---\n# Heading\n", "Heading"),
        ("---\nnot closed\n\n# Heading\n", "Heading"),
    ],
)  # fmt: skip
def test_the_title_is_the_front_matters_else_the_first_heading(markdown: str, title: str | None) -> None:
    parsed = parse_markdown(markdown.encode())
    assert parsed.title == title
    assert parsed.text == markdown


def test_offsets_point_into_what_was_written() -> None:
    parsed = parse_markdown("﻿# Tiêu đề\r\n\r\n* **Hà Nội** là thủ đô\r\n".encode())
    assert parsed.text == "# Tiêu đề\n\n* **Hà Nội** là thủ đô\n"
