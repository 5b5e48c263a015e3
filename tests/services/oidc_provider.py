"""Two OpenID providers for the test session, started when the first test asks for them."""

from __future__ import annotations

import html
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import httpx
import pytest

from tests.services.node_packages import NodePackages

PUBLIC = "http://assay.test"
MCP = f"{PUBLIC}/mcp"
CALLBACK = f"{PUBLIC}/callback"
BROWSER = ("browser", "browser-secret-only-for-tests")
ROBOT = ("robot", "robot-secret-only-for-tests")
_SCRIPT = Path(__file__).parent / "node" / "oidc_provider.mjs"


@dataclass(frozen=True, slots=True)
class OidcProvider:
    """One of the providers; what it is told to do wrong is for it alone."""

    issuer: str
    http: httpx.Client

    def tell(self, what: str, **parameters: str) -> dict[str, Any]:
        """Rotate its keys (``rotate``, with ``keep`` beside the old ones), or set how it publishes them (``keys``)."""
        told: dict[str, Any] = self.http.get(f"{self.issuer}/test/{what}", params=parameters).json()
        return told

    def token(self, form: dict[str, str], client: tuple[str, str] | None = None) -> httpx.Response:
        """What its token endpoint answers."""
        return self.http.post(f"{self.issuer}/token", data=form, auth=client or httpx.USE_CLIENT_DEFAULT)

    def machine_token(self, resource: str, scope: str = "read") -> str:
        """A token by client credentials."""
        form = {"grant_type": "client_credentials", "resource": resource, "scope": scope}
        return str(self.token(form, ROBOT).json()["access_token"])

    def sign_in(self, address: str, user: str, redirect: str) -> dict[str, str]:
        """Follow an authorization address as the user's browser would; the parameters that come back."""
        with httpx.Client(follow_redirects=False, verify=False) as browser:
            page = browser.get(address)
            for _ in range(12):
                if page.is_redirect:
                    address = urljoin(str(page.url), page.headers["location"])
                    if address.startswith(redirect):
                        return dict(parse_qsl(urlsplit(address).query))
                    page = browser.get(address)
                    continue
                assert page.status_code == 200, page.text[:400]
                action, form = _form(page, user)
                page = browser.post(action, data=form)
        raise AssertionError(f"no redirect to {redirect} came")


def _form(page: httpx.Response, user: str) -> tuple[str, dict[str, str]]:
    action = re.search(r'action="([^"]+)"', page.text)
    prompt = re.search(r'name="prompt" value="(\w+)"', page.text)
    assert action is not None, page.text[:400]
    assert prompt is not None, page.text[:400]
    form = {"prompt": prompt[1]} | ({"login": user, "password": "any"} if prompt[1] == "login" else {})
    return urljoin(str(page.url), html.unescape(action[1])), form


@pytest.fixture(scope="session")
def oidc_providers(node_packages: NodePackages) -> Iterator[tuple[OidcProvider, OidcProvider]]:
    """Two providers with keys of their own, in one process that ends with the session."""
    environment = {
        "OIDC_PROVIDER": node_packages.oidc_provider,
        "RESOURCES": f"{PUBLIC} {MCP}",
        "CALLBACK": CALLBACK,
    }
    with subprocess.Popen(
        node_packages.command(_SCRIPT),
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        for line in process.stdout:
            if line.startswith("ready "):
                break
        else:
            raise AssertionError("the OpenID provider did not start")
        _, one, other = line.split()
        try:
            # Without certificates a client is made ten times faster, and all is on loopback.
            with httpx.Client(verify=False) as http:
                yield OidcProvider(f"http://127.0.0.1:{one}", http), OidcProvider(f"http://127.0.0.1:{other}", http)
        finally:
            process.stdin.close()
            process.wait(10)
