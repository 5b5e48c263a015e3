"""What every language model promises, good replies or bad."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

import pytest

from domain.errors import ModelReplyInvalid
from domain.identity.ids import GroupId, OrganizationId
from domain.ports.language_model import LanguageModel, ModelRequest, ModelRole, UnusableReply

GOOD = '{"city": "Hà Nội", "people": 8}'
GOOD_DATA = {"city": "Hà Nội", "people": 8}
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string", "maxLength": 20}, "people": {"type": "integer", "minimum": 0}},
    "required": ["city", "people"],
    "additionalProperties": False,
}
BAD_REPLIES = {
    "prose": "The city is Hà Nội.",
    "an unfinished object": '{"city": "Hà N',
    "a missing property": '{"city": "Hà Nội"}',
    "a wrong type": '{"city": "Hà Nội", "people": "eight"}',
    "an unknown property": '{"city": "Hà Nội", "people": 8, "river": "Red"}',
    "a value out of bounds": '{"city": "Hà Nội", "people": -1}',
    "not a number of JSON": '{"city": "Hà Nội", "people": NaN}',
    "nothing": "",
}


class Script(Protocol):
    """Tells the provider behind the model what to say, each answer costing 10 tokens in and 5 out."""

    def says(self, text: str, *, truncated: bool = False) -> None: ...

    def asked(self) -> list[str]:
        """The whole conversation of each request so far, as text."""
        ...


def a_request() -> ModelRequest:
    return ModelRequest(
        role=ModelRole.EXTRACTION,
        prompt_name="find_city",
        prompt_version="v1",
        system="You find cities.",
        user="Which city, and how many people?",
        schema=SCHEMA,
        schema_name="city",
        organization_id=OrganizationId(UUID(int=1)),
        group_id=GroupId("o_" + "1" * 32),
        max_tokens=50,
    )


class LanguageModelContract:
    """Subclass and override ``script`` and ``model``, which speak to each other."""

    @pytest.fixture
    def script(self) -> Script:
        raise NotImplementedError

    @pytest.fixture
    def model(self, script: Script) -> LanguageModel:
        raise NotImplementedError

    async def test_a_good_reply_is_data_with_its_cost(self, model: LanguageModel, script: Script) -> None:
        script.says(GOOD)
        reply = await model.complete(a_request())
        assert reply.data == GOOD_DATA
        assert (reply.input_tokens, reply.output_tokens, reply.requests, reply.truncated) == (10, 5, 1, False)
        assert reply.model
        [asked] = script.asked()
        assert "You find cities." in asked
        assert "Which city, and how many people?" in asked

    @pytest.mark.parametrize("bad", BAD_REPLIES.values(), ids=BAD_REPLIES)
    async def test_a_bad_reply_is_asked_for_once_more(self, model: LanguageModel, script: Script, bad: str) -> None:
        script.says(bad)
        script.says(GOOD)
        reply = await model.complete(a_request())
        assert reply.data == GOOD_DATA
        assert (reply.input_tokens, reply.output_tokens, reply.requests) == (20, 10, 2)
        assert "That reply cannot be used" in script.asked()[1]

    @pytest.mark.parametrize("bad", BAD_REPLIES.values(), ids=BAD_REPLIES)
    async def test_two_bad_replies_are_an_error_that_says_what_was_paid(
        self, model: LanguageModel, script: Script, bad: str
    ) -> None:
        script.says(bad)
        script.says(bad)
        script.says(GOOD)
        with pytest.raises(UnusableReply) as raised:
            await model.complete(a_request())
        assert isinstance(raised.value, ModelReplyInvalid)
        assert (raised.value.input_tokens, raised.value.output_tokens, raised.value.requests) == (20, 10, 2)
        assert len(script.asked()) == 2

    async def test_a_reply_cut_off_at_the_limit_is_named_as_such(self, model: LanguageModel, script: Script) -> None:
        script.says('{"city": "Hà N', truncated=True)
        script.says('{"city": "Hà N', truncated=True)
        with pytest.raises(UnusableReply, match="cut off at the token limit"):
            await model.complete(a_request())
        assert len(script.asked()) == 2

    async def test_a_whole_reply_that_hit_the_limit_is_kept_and_marked(
        self, model: LanguageModel, script: Script
    ) -> None:
        script.says(GOOD, truncated=True)
        reply = await model.complete(a_request())
        assert reply.data == GOOD_DATA
        assert reply.truncated


class ProseModelContract(LanguageModelContract):
    """For providers that answer in text: a fence around the JSON is no fault."""

    @pytest.mark.parametrize("fenced", [f"```json\n{GOOD}\n```", f"\n```\n{GOOD}```\n", f"  {GOOD}\n"])
    async def test_a_fence_around_the_json_is_taken_off(
        self, model: LanguageModel, script: Script, fenced: str
    ) -> None:
        script.says(fenced)
        assert (await model.complete(a_request())).data == GOOD_DATA
        assert len(script.asked()) == 1
