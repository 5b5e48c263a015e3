"""Settings from environment variables. A wrong or unknown one stops the start with its name."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from domain.errors import shown
from entrypoints.settings import PREFIX, Settings, SettingsInvalid

_NOT_SETTINGS = ("ASSAY_VERSION", "ASSAY_TEST_")
"""Variables of the deployment and of the tests, that no process reads as a setting."""


def load_settings() -> Settings:
    """The settings of this process's environment. Raises SettingsInvalid with a line for everything that is wrong.

    What a choice of services needs besides is checked where they are used, by ``require_complete``.
    """
    known = known_variables()
    problems = [_unknown(name, known) for name in sorted(os.environ) if _is_ours(name) and name.upper() not in known]
    try:
        settings = Settings()
    except ValidationError as error:
        problems += [_wrong(item) for item in error.errors() if not _is_unknown(item)]
    else:
        if not problems:
            return settings
    raise SettingsInvalid("\n".join(problems))


def _is_ours(name: str) -> bool:
    return name.upper().startswith(PREFIX) and not name.upper().startswith(_NOT_SETTINGS)


def known_variables() -> dict[str, bool]:
    """Every variable, and whether it is a secret."""
    known = {}
    for section, field in Settings.model_fields.items():
        annotation = field.annotation
        assert isinstance(annotation, type)
        assert issubclass(annotation, BaseModel)
        for name, inner in annotation.model_fields.items():
            known[f"{PREFIX}{section}__{name}".upper()] = _is_secret(inner.annotation)
    return known


def _is_secret(annotation: object) -> bool:
    """Whether a secret is in it, however deep."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return any(_is_secret(field.annotation) for field in annotation.model_fields.values())
    return "SecretStr" in str(annotation) or any(_is_secret(part) for part in get_args(annotation))


def _unknown(name: str, known: Mapping[str, bool]) -> str:
    near = difflib.get_close_matches(name.upper(), known, n=1, cutoff=0.8)
    remedy = f"did you mean {near[0]}?" if near else "remove it; the settings are listed in docs/settings.md"
    return f"{name}: there is no such setting; {remedy}"


def _is_unknown(item: Mapping[str, Any]) -> bool:
    """Whether it is the variable itself that nobody knows: that is said by its name already."""
    return item["type"] == "extra_forbidden" and len(item["loc"]) <= 2


def _wrong(item: Mapping[str, Any]) -> str:
    name = f"{PREFIX}{'__'.join(str(part) for part in item['loc'][:2])}".upper()
    value = os.environ.get(name)
    hidden = known_variables().get(name, False)
    given = "" if value is None else " (its value is not shown)" if hidden else f" {shown(value)}"
    inside = ".".join(str(part) for part in item["loc"][2:])
    where = f"{inside}: " if inside else ""
    words = item["msg"].removeprefix("Value error, ").replace("Input should be", "it must be")
    return f"{name}:{given} is refused: {where}{words}; correct it or remove it for the default"
