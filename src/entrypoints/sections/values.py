"""What the fields of settings take."""

from __future__ import annotations

import json
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_settings import NoDecode


def _listed(value: object) -> object:
    """A list in JSON, or names between commas."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except ValueError:
            raise ValueError('this is no list in JSON; write ["one","two"] or one,two') from None
    return [part.strip() for part in value.split(",") if part.strip()]


def _amounts(value: object) -> object:
    """A map in JSON, or ``name=number`` between commas."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("{"):
        try:
            return json.loads(value)
        except ValueError:
            raise ValueError('this is no map in JSON; write {"one":1,"two":2} or one=1,two=2') from None
    parts = [part.partition("=") for part in value.split(",") if part.strip()]
    if any(not separator for _, separator, _ in parts):
        raise ValueError("this is no list of amounts; write one=1,two=2")
    return {name.strip(): amount.strip() for name, _, amount in parts}


def _without_last_slash(value: object) -> object:
    return value.removesuffix("/") if isinstance(value, str) else value


_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


def _secure(value: object) -> object:
    """An address without login, query or fragment; https, or http on loopback."""
    if not isinstance(value, str):
        return value
    parts = urlsplit(value)
    if not parts.hostname or parts.username or parts.query or parts.fragment:
        raise ValueError("this is no plain address; write https://host/path")
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise ValueError("it must begin with https:// (http is allowed on loopback only)")
    return value


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_listed)]
Port = Annotated[int, Field(ge=0, le=65535)]
SecureUrl = Annotated[str, BeforeValidator(_secure)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Positive = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(gt=0.0)]
Days = Annotated[float, Field(gt=0.0, le=36_500.0)]
Jobs = Annotated[int, Field(ge=2, le=1_000)]
Address = Annotated[str, Field(pattern=r"^([^:\s\[\]]+|\[[0-9a-fA-F:]+\]):[0-9]{1,5}$")]

Amounts = Annotated[dict[str, Annotated[int, Field(ge=0, le=1_000_000)]], NoDecode, BeforeValidator(_amounts)]
Origin = Annotated[
    str,
    BeforeValidator(_without_last_slash),
    Field(pattern=r"^https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?$"),
]
"""Scheme, host and port, with nothing behind them."""


class Section(BaseModel):
    """A section: unknown fields are refused, and a refusal never shows a value that may be secret."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)
