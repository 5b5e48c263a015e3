"""What OAuth clients are told, whatever address they used."""

from __future__ import annotations

import pytest

from domain.identity.grants import Grant
from domain.identity.permissions import Action
from domain.ports.token_verifier import Resource
from entrypoints.mcp.profiles import Profile
from entrypoints.protected_resources import address_of, base_address, challenge, metadata, metadata_address
from entrypoints.sections.serving import ApiSettings

BASE = "https://assay.example"


def test_the_public_address_is_what_was_configured_whatever_the_request_says() -> None:
    api = ApiSettings(public_url=f"{BASE}/")
    assert base_address(api, "http", "127.0.0.1:8080") == BASE


@pytest.mark.parametrize(
    ("host", "base"),
    [
        ("assay.test", "http://assay.test"),
        ("127.0.0.1:9000", "http://127.0.0.1:9000"),
        ("[::1]:9000", "http://[::1]:9000"),
        ("", "http://127.0.0.1:8080"),
        ('evil", realm="x', "http://127.0.0.1:8080"),
        ("a/b", "http://127.0.0.1:8080"),
    ],
)
def test_without_one_it_is_the_host_of_the_request_where_that_is_one(host: str, base: str) -> None:
    assert base_address(ApiSettings(), "http", host) == base


@pytest.mark.parametrize(
    "url", ["assay.example", "https://a.example/assay", "https://u@a.example", "ftp://a", "https://"]
)
def test_a_public_address_is_scheme_and_host_only(url: str) -> None:
    with pytest.raises(ValueError, match="public_url"):
        ApiSettings(public_url=url)


def test_each_resource_has_an_address_and_its_metadata_lies_where_rfc_9728_puts_it() -> None:
    assert address_of(BASE, Resource.API) == BASE
    assert address_of(BASE, Resource.MCP) == f"{BASE}/mcp"
    assert metadata_address(BASE, Resource.API) == f"{BASE}/.well-known/oauth-protected-resource"
    assert metadata_address(BASE, Resource.MCP) == f"{BASE}/.well-known/oauth-protected-resource/mcp"


def test_what_has_no_value_is_left_out_of_the_metadata() -> None:
    assert "authorization_servers" not in metadata(BASE, Resource.MCP, [])
    assert metadata(BASE, Resource.MCP, ["https://id.example"]) == {
        "resource": f"{BASE}/mcp",
        "authorization_servers": ["https://id.example"],
        "scopes_supported": ["read", "propose", "feedback", "snapshot", "admin"],
        "bearer_methods_supported": ["header"],
        "resource_name": "Assay over MCP",
    }


def test_a_challenge_names_an_error_only_where_a_token_was_sent() -> None:
    bare = f'Bearer realm="assay", resource_metadata="{BASE}/.well-known/oauth-protected-resource/mcp", scope="read"'
    assert challenge(BASE, Resource.MCP) == bare
    assert challenge(BASE, Resource.MCP, "invalid_token") == f'{bare}, error="invalid_token"'
    assert 'scope="read snapshot"' in challenge(BASE, Resource.MCP, None, {Grant.SNAPSHOT, Grant.READ})


def test_a_profile_offers_what_its_grants_cover_and_the_narrower_one_wins() -> None:
    assert [action for action in Action if Profile.READER.offers(action)] == [
        action for action in Action if action.grant is Grant.READ
    ]
    assert {action.grant for action in Action if not Profile.CONTRIBUTOR.offers(action)} == {Grant.ADMIN}
    assert all(Profile.CURATOR.offers(action) for action in Action)
    for one in Profile:
        assert one.at_most(Profile.READER) is Profile.READER.at_most(one) is Profile.READER
        assert one.at_most(Profile.CURATOR) is one
