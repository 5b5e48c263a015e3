"""The tools, resources and prompts that MCP's conformance suite asks for by name, on our server and behind our gate."""

from __future__ import annotations

import base64
import warnings
from typing import Any

from mcp_types import (
    AudioContent,
    Completion,
    EmbeddedResource,
    ImageContent,
    SamplingMessage,
    TextContent,
    TextResourceContents,
)

from domain.identity.permissions import Action
from entrypoints.application import Application
from entrypoints.mcp.server import AssayServer
from entrypoints.mcp.sign_in import Call, by_request

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
SCHEMA_2020_12 = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
    "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
    "additionalProperties": False,
}


def text(words: str) -> TextContent:
    return TextContent(type="text", text=words)


def image() -> ImageContent:
    return ImageContent(type="image", data=PNG, mime_type="image/png")


def embedded(uri: str, mime_type: str, words: str) -> EmbeddedResource:
    return EmbeddedResource(type="resource", resource=TextResourceContents(uri=uri, mime_type=mime_type, text=words))


async def test_simple_text() -> TextContent:
    """Simple text."""
    return text("This is a simple text response for testing.")


async def test_image_content() -> ImageContent:
    """An image."""
    return image()


async def test_audio_content() -> AudioContent:
    """A sound."""
    return AudioContent(type="audio", data=WAV, mime_type="audio/wav")


async def test_embedded_resource() -> EmbeddedResource:
    """A resource within the result."""
    return embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")


async def test_multiple_content_types() -> list[Any]:
    """Text, an image and a resource."""
    mixed = embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
    return [text("Multiple content types test:"), image(), mixed]


async def test_error_handling() -> str:
    """Fails."""
    raise ValueError("This tool intentionally returns an error for testing")


async def test_tool_with_logging(call: Call) -> str:
    """Logs three lines."""
    with warnings.catch_warnings(action="ignore"):
        for line in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            await call.info(line)
    return "logged"


async def test_tool_with_progress(call: Call) -> str:
    """Reports progress three times."""
    for done in (0, 50, 100):
        await call.report_progress(done, 100)
    return "done"


async def test_sampling(call: Call, prompt: str) -> str:
    """Asks the client's model."""
    with warnings.catch_warnings(action="ignore"):
        answer = await call.session.create_message([SamplingMessage(role="user", content=text(prompt))], max_tokens=100)
    return f"LLM response: {answer.content}"


async def test_elicitation(call: Call, message: str) -> str:
    """Asks the client's user."""
    return await _asked(call, message, {"username": {"type": "string"}, "email": {"type": "string"}})


async def test_elicitation_sep1034_defaults(call: Call) -> str:
    """Asks with defaults."""
    fields = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await _asked(call, "Please check", fields)


async def test_elicitation_sep1330_enums(call: Call) -> str:
    """Asks with choices."""
    titled = [{"const": "value1", "title": "First Option"}, {"const": "value2", "title": "Second Option"}]
    fields = {
        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
        "titledSingle": {"type": "string", "oneOf": titled},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2"]}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled}},
    }
    return await _asked(call, "Please choose", fields)


async def json_schema_2020_12_tool(name: str = "", address: dict[str, Any] | None = None) -> str:
    """A tool with features of JSON Schema 2020-12."""
    return f"{name} {address}"


async def _asked(call: Call, message: str, fields: dict[str, Any]) -> str:
    answer = await call.session.elicit_form(message, {"type": "object", "properties": fields})
    return f"User response: action={answer.action}, content={answer.content}"


TOOLS = (
    test_simple_text, test_image_content, test_audio_content, test_embedded_resource, test_multiple_content_types,
    test_error_handling, test_tool_with_logging, test_tool_with_progress, test_sampling, test_elicitation,
    test_elicitation_sep1034_defaults, test_elicitation_sep1330_enums, json_schema_2020_12_tool,
)  # fmt: skip


def conformance_server(app: Application) -> AssayServer:
    """A server with everything that the suite asks for."""
    server = AssayServer(by_request, app.admission)
    for tool in TOOLS:
        server.add_tool(tool, structured_output=False)
        server.allow(tool.__name__, Action.READ)
    schema = server._tool_manager.get_tool("json_schema_2020_12_tool")
    assert schema is not None
    schema.parameters = SCHEMA_2020_12
    _add_resources(server)
    _add_prompts(server)

    @server.completion()  # type: ignore[no-untyped-call,untyped-decorator]
    async def complete(_: object, __: object, ___: object) -> Completion:
        return Completion(values=[], total=0, has_more=False)

    return server


def _add_resources(server: AssayServer) -> None:
    @server.resource("test://static-text", mime_type="text/plain")
    def static_text() -> str:
        """Text."""
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def static_binary() -> bytes:
        """An image."""
        return base64.b64decode(PNG)

    @server.resource("test://template/{number}/data", mime_type="application/json")
    def template(number: str) -> str:
        """What the address says."""
        return f'{{"id":"{number}","templateTest":true,"data":"Data for ID: {number}"}}'


def _add_prompts(server: AssayServer) -> None:
    @server.prompt()
    def test_simple_prompt() -> str:
        """A prompt."""
        return "This is a simple prompt for testing."

    @server.prompt()
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        """A prompt with arguments."""
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt()
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[Any]:  # noqa: N803
        """A prompt with a resource."""
        content = embedded(resourceUri, "text/plain", "Embedded resource content for testing.")
        return [{"role": "user", "content": content}, {"role": "user", "content": text("Please process it.")}]

    @server.prompt()
    def test_prompt_with_image() -> list[Any]:
        """A prompt with an image."""
        return [{"role": "user", "content": image()}, {"role": "user", "content": text("Please analyze it.")}]
