"""Which addresses may be asked: by name or number, in whatever way they are written."""

from __future__ import annotations

import pytest

from domain.errors import AddressRefused
from domain.ingestion.addresses import allowed, target_of


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/", "http://0177.0.0.1/", "http://2130706433/", "http://0x7f000001/", "http://0x7f.1/",
        "http://127.1/", "http://127.0.0.1./", "http://0/", "http://[::1]/", "http://[::]/", "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/", "http://[::ffff:169.254.169.254]/", "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/", "http://[fe80::1%25eth0]/", "http://[fd00::1]/", "http://[fec0::1]/", "http://[ff02::1]/",
        "http://10.0.0.1/", "http://172.16.0.1/", "http://192.168.1.1/", "http://100.64.0.1/", "http://169.254.169.254/",
        "http://198.18.0.1/", "http://224.0.0.1/", "http://255.255.255.255/", "http://0.0.0.0/", "http://localhost/",
        "http://a.localhost/", "http://metadata.google.internal/", "http://printer.local/", "http://intranet/",
        "http://user@harbour.io/", "http://user:secret@harbour.io/", "http://harbour.io@127.0.0.1/", "http://harbour.io:0/",
        "http://harbour.io:99999/", "https://harbour.io\\@inside/", "http://harbour.io/\r\nHost: a", "http:///a", "http://",
        "ftp://harbour.io/", "file:///etc/passwd", "gopher://harbour.io/", "javascript:alert(1)", "harbour.io",
        "http://hаrbour.io/", "http://harbour.io/" + "a" * 2_000, "http://[::1", "http://1.2.3.4.5/", "",
    ],
)  # fmt: skip
def test_what_is_inside_or_only_looks_like_an_address_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        target_of(url)


@pytest.mark.parametrize(
    ("url", "host", "port", "path"),
    [
        ("https://harbour.io", "harbour.io", 443, "/"),
        ("http://Pages.Harbour.IO:8080/a?b=1", "pages.harbour.io", 8080, "/a?b=1"),
        ("https://1.1.1.1/", "1.1.1.1", 443, "/"),
        ("https://[2606:4700::1111]/", "2606:4700::1111", 443, "/"),
        ("https://xn--cng-5qa.vn/", "xn--cng-5qa.vn", 443, "/"),
    ],
)
def test_a_public_address_is_taken_apart(url: str, host: str, port: int, path: str) -> None:
    target = target_of(url)
    assert (target.host, target.port, target.path) == (host, port, path)


def test_hosts_are_allowed_by_name_below_a_name_or_all() -> None:
    assert allowed("harbour.io", ("harbour.io",))
    assert allowed("a.b.harbour.io", ("*.harbour.io",))
    assert not allowed("harbour.io", ("*.harbour.io",))
    assert not allowed("evilharbour.io", ("*.harbour.io", "harbour.io"))
    assert allowed("anything.vn", ("*",))
    assert not allowed("anything.vn", ())
