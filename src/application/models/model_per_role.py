"""A language model for each role."""

from __future__ import annotations

from collections.abc import Mapping

from domain.errors import Unavailable
from domain.ports.language_model import LanguageModel, ModelReply, ModelRequest, ModelRole


class ModelPerRole:
    """``LanguageModel`` that hands each request to its role's model, else to the default."""

    def __init__(self, models: Mapping[ModelRole, LanguageModel], default: LanguageModel | None = None) -> None:
        self._models = models
        self._default = default

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises ``Unavailable`` for a role without a model; else as that model."""
        model = self._models.get(request.role, self._default)
        if model is None:
            raise Unavailable(f"No language model is configured for the role {request.role.value!r}; set one.")
        return await model.complete(request)
