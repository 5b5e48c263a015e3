from __future__ import annotations

import pytest

from adapters.parsing.html import parse_html
from domain.errors import DocumentUnreadable


def text_of(html: str) -> str:
    return parse_html(html.encode()).text


def test_blocks_are_paragraphs_and_inline_elements_are_not() -> None:
    assert text_of("<h1>Head</h1><p>One <b>bold</b>\n word.</p><div>Two<br>lines</div>") == (
        "Head\n\nOne bold word.\n\nTwo\nlines"
    )


def test_lists_and_tables_keep_their_lines_and_cells() -> None:
    assert text_of("<ul><li>a</li><li>b</li></ul><table><tr><th>x</th><td>1</td></tr><tr><td>y</td></tr></table>") == (
        "a\nb\n\nx\t1\ny"
    )


def test_scripts_styles_navigation_and_comments_are_dropped() -> None:
    html = "<nav>Home</nav><script>evil()</script><style>p{}</style><!-- hidden --><p>Seen</p><template>t</template>"
    assert text_of(html) == "Seen"


def test_preformatted_text_keeps_its_spaces() -> None:
    assert text_of("<p>a</p><pre>x  = 1\n  y</pre><p>b</p>") == "a\n\nx  = 1\n  y\n\nb"


def test_entities_are_decoded_and_unstorable_ones_replaced() -> None:
    assert text_of("<p>A &amp; B &lt;C&gt; &#233;&#0;&#xD800;</p>") == "A & B <C> é��"


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title> Sự  cố\nmạng </title><h1>Other</h1>", "Sự cố mạng"),
        ("<title></title><h1>Head <i>line</i></h1>", "Head line"),
        ("<p>none</p>", None),
    ],
)
def test_the_title_is_the_title_element_else_the_first_heading(html: str, title: str | None) -> None:
    assert parse_html(html.encode()).title == title


def test_a_declared_encoding_is_honoured() -> None:
    html = '<html><head><meta charset="windows-1252"></head><body><p>café</p></body></html>'
    assert parse_html(html.encode("windows-1252")).text == "café"
    assert parse_html(html.encode()).text == "café"


@pytest.mark.parametrize("name", ["hex", "utf-7", "no-such"])
def test_a_declared_encoding_that_is_no_web_encoding_is_not_tried(name: str) -> None:
    with pytest.raises(DocumentUnreadable, match="not utf-8"):
        parse_html(f'<meta charset="{name}"><p>caf'.encode() + b"\xe9</p>")


@pytest.mark.parametrize("unit", ["<a ", "<a b='", "<p", "<!--", "</i ", "<?x ", "<!DOCTYPE ", "<![CDATA["])
def test_tags_and_comments_that_are_never_closed_do_not_hold_it_up(unit: str) -> None:
    assert text_of(f"<p>Before</p>{unit * 40_000}").startswith("Before")


def test_a_few_unclosed_tags_leave_the_rest_as_it_was() -> None:
    assert text_of("<p title='a<b'>One</p><!-- x <i --><p>Two") == "One\n\nTwo"


def test_deep_nesting_does_not_break_it() -> None:
    assert text_of("<div>" * 20_000 + "core") == "core"


@pytest.mark.parametrize(
    "html", ["plain words", "a.txt", "http://example.com", '<?xml version="1.0"?><p>plain words</p>']
)
def test_short_or_xml_like_documents_raise_no_warning(html: str) -> None:
    assert text_of(html) in {"plain words", "a.txt", "http://example.com"}
