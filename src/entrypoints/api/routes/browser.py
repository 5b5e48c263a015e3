"""Signing in and out with a browser. These are pages, not calls: they are not in the OpenAPI document."""

from __future__ import annotations

from html import escape
from typing import Any, TypeAlias
from urllib.parse import urlencode

from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.params import FromQuery

from application.identity.browser_sign_in import ATTEMPT_SECONDS
from domain.errors import NotAuthenticated
from entrypoints.api.door import is_secure, session_cookie
from entrypoints.api.limits import client_address
from entrypoints.api.sign_in import App, HttpRequest, SignedIn
from entrypoints.protected_resources import base_address
from entrypoints.sections.serving import ApiSettings

Page: TypeAlias = Response[Any]
_FRESH = {"cache-control": "no-store"}


@get("/login", include_in_schema=False)
async def login(
    request: HttpRequest, app: App, issuer: FromQuery[str | None] = None, return_to: FromQuery[str | None] = None
) -> Page:
    """Send the browser to the identity provider; where there are several, let it choose first."""
    await app.sign_ins.admit_browser(client_address(request.scope))
    issuers = app.identity.browser_sign_in.issuers
    if issuer is None and len(issuers) > 1:
        return _choice({name: _link(url, return_to) for url, name in issuers.items()})
    begun = await app.identity.browser_sign_in.begin(issuer, return_to, _callback(request, app))
    return _away(begun.address, _cookie(app.settings.api, _attempt(app), begun.sealed, int(ATTEMPT_SECONDS)))


@get("/callback", include_in_schema=False)
async def callback(request: HttpRequest, app: App) -> Page:
    """Open the session that the provider's answer is for, and go to where the browser wanted."""
    await app.sign_ins.admit_browser(client_address(request.scope))
    answer = dict(request.query_params.items())
    opened = await app.identity.browser_sign_in.finish(
        request.cookies.get(_attempt(app), ""), answer, _callback(request, app)
    )
    api, seconds = app.settings.api, int(app.settings.identity.session_seconds)
    session = _cookie(api, session_cookie(api), opened.secret.text, seconds)
    return _away(opened.return_to, session, _cookie(api, _attempt(app), "", 0))


@post("/sign-out", include_in_schema=False, status_code=204)
async def sign_out(app: App, credential: SignedIn) -> Response[None]:
    """End the session of the browser."""
    if not await app.identity.browser_sign_in.end(credential):
        raise NotAuthenticated("this is no session of a browser; revoke a key, and let a token expire")
    api = app.settings.api
    return Response(None, status_code=204, headers=_FRESH, cookies=[_cookie(api, session_cookie(api), "", 0)])


def _callback(request: HttpRequest, app: App) -> str:
    return base_address(app.settings.api, request.scope["scheme"], request.headers.get("host", "")) + "/callback"


def _attempt(app: App) -> str:
    return "__Host-assay_login" if is_secure(app.settings.api) else "assay_login"


def _cookie(api: ApiSettings, name: str, value: str, seconds: int) -> Cookie:
    return Cookie(name, value=value, max_age=seconds, secure=is_secure(api), httponly=True, samesite="lax")


def _away(address: str, *cookies: Cookie) -> Page:
    return Response(None, status_code=303, headers={"location": address, **_FRESH}, cookies=list(cookies))


def _link(issuer: str, return_to: str | None) -> str:
    return "/login?" + urlencode({"issuer": issuer} | ({"return_to": return_to} if return_to else {}))


def _choice(links: dict[str, str]) -> Page:
    items = "".join(f'<li><a href="{escape(link)}">{escape(name)}</a></li>' for name, link in links.items())
    page = f"<!doctype html><html lang=en><title>Sign in to Assay</title><h1>Sign in with</h1><ul>{items}</ul></html>"
    return Response(page, media_type="text/html", headers=_FRESH)
