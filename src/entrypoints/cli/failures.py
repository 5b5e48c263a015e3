"""Errors as one line and an exit code; never a traceback."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import IO, Any, TypeVar

import click
import msgspec

from domain.errors import (
    AssayError,
    Conflict,
    Forbidden,
    InvalidInput,
    LimitExceeded,
    NotAuthenticated,
    NotFound,
    Unavailable,
)

EXIT_CODES: dict[type[AssayError], int] = {
    InvalidInput: 2,
    NotAuthenticated: 3,
    Forbidden: 3,
    NotFound: 4,
    Conflict: 5,
    LimitExceeded: 6,
    Unavailable: 7,
}
UNEXPECTED = 1
JSON_WANTED = "entrypoints.cli.json"
DETAILS_WANTED = "entrypoints.cli.details"
"""Keys of click's ``meta``."""

Result = TypeVar("Result")


def exit_code_of(error: type[AssayError]) -> int:
    """The exit code of an error's family. Raises KeyError for one outside every family."""
    for family in error.__mro__:
        if family in EXIT_CODES:
            return EXIT_CODES[family]
    raise KeyError(error.__name__)


class Refused(click.ClickException):
    """A command that did not do what was asked. With ``--json`` the line is an object."""

    def __init__(self, message: str, code: str, exit_code: int, field: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.exit_code = exit_code  # type: ignore[misc]  # click reads it from the instance
        self.field = field
        context = click.get_current_context(silent=True)
        self.as_json = context is not None and bool(context.meta.get(JSON_WANTED))

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the line to standard error."""
        if self.as_json:
            problem = {"code": self.code, "detail": self.message}
            if self.field:
                problem["field"] = self.field
            click.echo(msgspec.json.encode(problem), file=file, err=True)
        else:
            click.echo(f"assay: {self.message}", file=file, err=True)


def refusing(work: Callable[[], Result]) -> Result:
    """Run ``work``; what it raises on purpose becomes a refusal, and so does what nobody expected."""
    try:
        return work()
    except AssayError as error:
        raise Refused(error.message, error.code, exit_code_of(type(error)), error.field) from error
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:
        context = click.get_current_context(silent=True)
        if context is not None and context.meta.get(DETAILS_WANTED):
            traceback.print_exc()
        raise Refused(
            f"something unexpected went wrong ({type(error).__name__}); "
            "set ASSAY_TELEMETRY__LOG_LEVEL=debug and try again to see where",
            "internal_error",
            UNEXPECTED,
        ) from error
