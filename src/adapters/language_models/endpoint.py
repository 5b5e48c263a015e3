"""One POST of JSON to a model provider, with its failures in our words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx

from application.models.provider_chain import ProviderChain
from application.models.provider_failures import AttemptFailed, failure_of_status
from application.models.replies import RequestTally
from domain.errors import AssayError


class StatusRefused(Exception):
    """The provider answered with a status of 400 or more; ``error`` is what the caller should see."""

    def __init__(self, status: int, body: str, error: AssayError) -> None:
        super().__init__(status)
        self.status = status
        self.body = body
        self.error = error


class ModelEndpoint:
    """Sends requests through the provider's chain. The client brings the base URL and the key."""

    def __init__(self, client: httpx.AsyncClient, chain: ProviderChain) -> None:
        self._client = client
        self.chain = chain

    async def post(self, path: str, body: Mapping[str, Any], tally: RequestTally) -> Mapping[str, Any]:
        """One attempt. Raises ``StatusRefused``, or ``AttemptFailed`` when no answer of JSON came back."""
        tally.requests += 1
        provider = self.chain.provider
        try:
            # The chain's time-out covers the whole attempt.
            response = await self._client.post(path, json=body, timeout=None)
            answer = response.json() if response.is_success else None
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise AttemptFailed(f"{provider} cannot be reached; check that it runs and its base URL.") from error
        except ValueError as error:
            raise AttemptFailed(f"{provider} answered with something that is not JSON; check its base URL.") from error
        if not response.is_success:
            failure = failure_of_status(provider, response.status_code, response.headers.get("retry-after"))
            raise StatusRefused(response.status_code, response.text, failure)
        if not isinstance(answer, dict):
            raise AttemptFailed(f"{provider} answered with JSON that is not an object; check its base URL.")
        return answer
