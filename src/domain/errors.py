"""What can go wrong, as facts. Entry points map each family to a response; no HTTP number lives here.

A message says what was wrong, with what value, and what to do. ``code`` is stable and machine-readable;
``field`` names the input at fault where there is one; ``retryable`` says whether the same call may succeed later, and
``outage`` whether it only has to wait until something that is needed is back.
"""

from __future__ import annotations

import math
from typing import ClassVar

SHOWN = 120
"""How many characters of a refused value a message shows."""


def shown(value: object) -> str:
    """The value as a message shows it: quoted, and cut at ``SHOWN`` characters."""
    text = repr(value)
    length = len(value) if isinstance(value, str | bytes) else len(text)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({length} characters)"


class AssayError(Exception):
    """Base of every error that Assay raises on purpose."""

    code: ClassVar[str] = "error"
    retryable: ClassVar[bool] = False
    outage: ClassVar[bool] = False

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class InvalidInput(AssayError):
    """The request cannot be understood or breaks a rule; nothing was changed."""

    code = "invalid_input"


class SensitiveName(InvalidInput):
    """A name that holds a masked value names nothing: everybody with another such value would be the same."""

    code = "sensitive_name"


class NotAuthenticated(AssayError):
    """No credential, or one that is unknown, expired or revoked."""

    code = "not_authenticated"


class Forbidden(AssayError):
    """The principal is known but may not do this."""

    code = "forbidden"


class InsufficientScope(Forbidden):
    """The role would allow it, but the token was not given the scope that covers it. ``scope`` is what it lacks."""

    code = "insufficient_scope"

    def __init__(self, message: str, *, scope: str) -> None:
        super().__init__(message)
        self.scope = scope


class NotFound(AssayError):
    """No such object in the scopes of the caller; somebody else's object reads the same."""

    code = "not_found"


class Conflict(AssayError):
    """The state has moved on, or the same key was used for something else."""

    code = "conflict"


class LimitExceeded(AssayError):
    """A stated limit was reached; the message names it."""

    code = "limit_exceeded"
    retryable = True


class Unavailable(AssayError):
    """A service that is needed does not answer; the same call may succeed later."""

    code = "unavailable"
    retryable = True
    outage = True


class WorkFailed(Unavailable):
    """A service answers, and failed at this piece of work; the next try may fail as well."""

    outage = False


class ArtifactMissing(Unavailable):
    """The record names an artifact that the object store does not hold."""

    code = "artifact_missing"
    retryable = False
    outage = False


class ArtifactAltered(Unavailable):
    """The stored bytes do not match the hash in the record."""

    code = "artifact_altered"
    retryable = False
    outage = False


class ContentErased(NotFound):
    """It was here and was erased; the message says when and by which erasure."""

    code = "erased"


class ErasedBefore(Conflict):
    """It was erased, and nothing new of it came since; the message names that erasure."""

    code = "erased"


class ContentSuppressed(Conflict):
    """The record or its content was erased, and is refused when it comes again."""

    code = "suppressed"


class UnderHold(Conflict):
    """A legal hold forbids it; the message gives its reason."""

    code = "under_hold"


class IdempotencyKeyReused(Conflict):
    """The idempotency key was first used with another body."""

    code = "idempotency_key_reused"


class NotVerified(Conflict):
    """Only verified knowledge may go there; the message says what is missing."""

    code = "not_verified"


class LastOwner(Conflict):
    """Nobody would own the organization any more."""

    code = "last_owner"


class StaleRevision(Conflict):
    """The slot changed since the revision that the caller saw."""

    code = "stale_revision"


class DimensionMismatch(InvalidInput):
    """A vector has another dimension than the index it is for."""

    code = "dimension_mismatch"


class ModelReplyInvalid(Unavailable):
    """A model answered with something that its schema does not allow."""

    code = "model_reply_invalid"
    outage = False


class DocumentUnreadable(InvalidInput):
    """The bytes cannot be read as the content type that was declared or found."""

    code = "document_unreadable"


class RateLimited(LimitExceeded):
    """Too much in too short a time. ``limit`` names the limit, ``retry_after`` is in seconds."""

    code = "rate_limited"

    def __init__(self, message: str, *, limit: str, retry_after: float) -> None:
        super().__init__(message)
        self.limit = limit
        self.retry_after = retry_after

    @classmethod
    def of(cls, limit: str, most: int, seconds: int, retry_after: float) -> RateLimited:
        """Of a limit of ``most`` units in ``seconds``."""
        return cls(
            f"the limit {limit!r} of {most} units in {seconds} s is used up; "
            f"wait {max(1, math.ceil(retry_after))} s and send it again",
            limit=limit,
            retry_after=retry_after,
        )


class BudgetExhausted(LimitExceeded):
    """The monthly limit for model calls is used up."""

    code = "budget_exhausted"
    retryable = False


class StorageBudgetExhausted(LimitExceeded):
    """A budget of what may be stored is used up."""

    code = "storage_budget_exhausted"
    retryable = False

    @classmethod
    def of(cls, what: str, budget: int | str) -> StorageBudgetExhausted:
        """``what`` it is of, as budgets name it."""
        return cls(
            f"the budget of {budget} for {what} would be passed; nothing was kept; "
            "raise it, or erase what is not needed"
        )


class StorageFull(Unavailable):
    """The disk or the object store has no room left."""

    code = "storage_full"


class AddressRefused(InvalidInput):
    """The address is malformed, inside a network, or not among those that may be fetched."""

    code = "address_refused"
