"""What a provider's refusal means for us."""

from __future__ import annotations

from domain.errors import Unavailable

BUSY = frozenset({408, 409, 425, 429})
"""Answers of a provider that works but not now; every 5xx is a failure of it."""


class AttemptFailed(Unavailable):
    """This attempt failed; the same request may succeed in a moment.

    ``retry_after_seconds``: the earliest time the provider wants to hear from us. ``provider_works``: it answered
    that it is busy, which says nothing against it.
    """

    def __init__(self, message: str, *, retry_after_seconds: float | None = None, provider_works: bool = False) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds
        self.provider_works = provider_works


class ProviderRefused(Unavailable):
    """The provider will not serve this request however often it is sent: the configuration is at fault."""

    code = "provider_refused"
    retryable = False
    outage = False


def failure_of_status(provider: str, status: int, retry_after: str | None) -> Unavailable:
    """The error for an HTTP status of 400 or more; ``retry_after`` is the header as sent, in seconds."""
    if status in BUSY or status >= 500:
        return AttemptFailed(
            f"{provider} answered {status}; the same call may succeed later.",
            retry_after_seconds=_seconds(retry_after),
            provider_works=status in BUSY,
        )
    if status in (401, 403):
        return ProviderRefused(f"{provider} answered {status}; check the API key and what it may use.")
    if status == 404:
        return ProviderRefused(f"{provider} answered 404; check the base URL and the name of the model.")
    return ProviderRefused(f"{provider} refused the request with {status}; check the model and its limits.")


def _seconds(retry_after: str | None) -> float | None:
    """Seconds to wait; a date or nonsense is read as not said."""
    try:
        seconds = float(retry_after) if retry_after else None
    except ValueError:
        return None
    return seconds if seconds is not None and 0 <= seconds < 86_400 else None
