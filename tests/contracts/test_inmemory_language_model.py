"""Scripted replies keep the language model's promises."""

from __future__ import annotations

import pytest

from adapters.inmemory.language_model import InMemoryLanguageModel
from application.models.replies import Answer
from domain.errors import Unavailable
from domain.ports.language_model import LanguageModel
from tests.contracts.language_model_contract import GOOD_DATA, ProseModelContract, Script, a_request


class InMemoryScript:
    def __init__(self) -> None:
        self.model = InMemoryLanguageModel()

    def says(self, text: str, *, truncated: bool = False) -> None:
        self.model.will_say(Answer(text, "scripted", input_tokens=10, output_tokens=5, truncated=truncated))

    def asked(self) -> list[str]:
        system = self.model.requests[0].system
        return [" ".join([system, *(turn.text for turn in turns)]) for turns in self.model.exchanges]


class TestInMemoryLanguageModel(ProseModelContract):
    @pytest.fixture
    def script(self) -> InMemoryScript:
        return InMemoryScript()

    @pytest.fixture
    def model(self, script: Script) -> LanguageModel:
        assert isinstance(script, InMemoryScript)
        return script.model


async def test_data_may_be_scripted_as_it_is() -> None:
    assert (await InMemoryLanguageModel([GOOD_DATA]).complete(a_request())).data == GOOD_DATA


async def test_a_scripted_error_is_raised_and_the_next_call_goes_on() -> None:
    model = InMemoryLanguageModel([Unavailable("down"), GOOD_DATA])
    with pytest.raises(Unavailable, match="down"):
        await model.complete(a_request())
    assert (await model.complete(a_request())).data == GOOD_DATA


async def test_a_script_that_has_ended_is_unavailable() -> None:
    with pytest.raises(Unavailable, match="find_city"):
        await InMemoryLanguageModel().complete(a_request())
