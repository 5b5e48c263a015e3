"""Text that reads like an instruction to a model, or that a reader does not see.

A flag is no proof: a page about such attacks quotes them. It marks the text wherever it is shown, and lets a person
look at it before anything is read out of it.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_SCOPE = r"(?:previous|prior|above|earlier|preceding|all|any|every(?:thing)?|system|your)"
_ORDERS = r"(?:instructions?|prompts?|rules|directions|guidelines|orders)"
_READERS = r"(?:AIs?|AI\s+(?:assistants?|agents?|models?)|LLMs?|language\s+models?|assistants?|chatbots?)"
_BEGINS = re.compile(
    r"(?:^|[.!?:;,\n>*\"'(]\s*|\b(?:please|now|and|then|must|you\s+(?:should|will|can))\s+)\Z", re.IGNORECASE
)
_BEFORE = 24
"""Characters before a verb that tell whether it is an order."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """``hints`` are words of which the text has one, in lower case; a ``verb`` counts where it is an order only."""

    flag: str
    hints: tuple[str, ...]
    form: re.Pattern[str]
    verb: bool = False

    def fits(self, text: str, lowered: str) -> bool:
        if not any(hint in lowered for hint in self.hints):
            return False
        return any(not self.verb or _is_order(text, match.start()) for match in self.form.finditer(text))


def _rule(flag: str, hints: str, form: str, *, verb: bool = False) -> _Rule:
    return _Rule(flag, tuple(hints.split(",")), re.compile(form, re.IGNORECASE), verb)


_RULES = (
    _rule(
        "override",
        "ignore,disregard,forget,bypass,override",
        rf"\b(?:ignore|disregard|forget|bypass|override)\s[^.\n]{{0,40}}?\b"
        rf"(?:{_SCOPE}\b[^.\n]{{0,30}}?\b{_ORDERS}|{_ORDERS}\s+(?:above|before|given|so\s+far))\b",
        verb=True,
    ),
    _rule(
        "override",
        "override",
        rf"\b{_ORDERS}\s+overrides?\s+(?:the|your|all|any)\s[^.\n]{{0,20}}?\b(?:system\s+prompt|prompts?)\b",
    ),
    _rule(
        "override",
        "bỏ qua,phớt lờ,hãy quên",
        r"(?:bỏ\s+qua|phớt\s+lờ|hãy\s+quên)\s[^.\n]{0,40}?(?:chỉ\s+dẫn|chỉ\s+thị|hướng\s+dẫn|mệnh\s+lệnh|câu\s+lệnh)"
        r"[^.\n]{0,12}?(?:trước|trên|hệ\s+thống)",
    ),
    _rule(
        "persona",
        "from now on,you are now",
        r"\b(?:from\s+now\s+on,?\s+you(?:'re|\s+are|\s+will|\s+must)|you\s+are\s+now\s+(?:in\s+|an?\s+|the\s+)?"
        r"(?:developer|admin|unrestricted|jailbroken|dan\b|root|god|assistant|system))",
    ),
    _rule("persona", "pretend,act ", r"\b(?:pretend|act)\s+(?:that\s+you\s+are|as\s+if\s+you|you\s+are)\b"),
    _rule("persona", "giờ bạn là", r"\bbây\s+giờ\s+bạn\s+là\s+(?:một\s+)?(?:trợ\s+lý|quản\s+trị|hệ\s+thống)"),
    _rule(
        "role_marker",
        "<|",
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id)\|>",
    ),
    _rule(
        "role_marker",
        "inst],<sys>,</sys>,<system,<assistant,</system,</assistant",
        r"\[/?INST\]|<</?SYS>>|</?(?:system|assistant)(?:_prompt|-prompt)?>",
    ),
    _rule("role_marker", "#", r"(?:^|\n)\s*#{1,4}\s*(?:system|assistant|instruction)s?\s*:?\s*(?:\n|$)"),
    _rule(
        "role_marker",
        "system,developer",
        r"(?:^|\n)\s*(?:system|developer)(?:\s+(?:prompt|message))?\s*:\s*you\s+(?:are|must|will)\b",
    ),
    _rule(
        "tool_call",
        "tool,function_call,invoke",
        r"</?(?:\w{1,12}:)?(?:tool_calls?|function_calls?|tool_use|tool_result|invoke)(?:\s[^>]{0,80})?>"
        r"|\"(?:tool_calls|function_call|tool_use)\"\s*:\s*[\[{]|\"method\"\s*:\s*\"tools/call\"",
    ),
    _rule(
        "secrecy",
        "prompt,instructions",
        r"\b(?:print|reveal|repeat|output|show|leak)\s[^.\n]{0,30}?\b(?:your|the|its|hidden|initial)\s+"
        r"(?:hidden\s+|initial\s+|system\s+|own\s+)*(?:system\s+prompt|prompt|system\s+instructions)\b",
        verb=True,
    ),
    _rule(
        "secrecy",
        "do not",
        r"\bdo\s+not\s+(?:tell|mention|reveal|inform|alert|show)\b[^.\n]{0,30}?\b(?:the|your)\s+(?:user|human|operator)\b",
    ),
    _rule(
        "addressed",
        "assistant,ai,llm,language model,chatbot",
        rf"\b(?:notes?|notice|attention|instructions?|message|hint)\s*(?:to|for|:)\s+(?:all\s+|any\s+|the\s+)?{_READERS}\b"
        rf"|\bif\s+you\s+are\s+an?\s+{_READERS}\b",
    ),
    _rule(
        "addressed",
        "trợ lý,mô hình,tác tử",
        r"\b(?:lưu\s+ý|chỉ\s+dẫn|thông\s+báo)\s+(?:cho|tới)\s+(?:mọi\s+|các\s+)?(?:trợ\s+lý|mô\s+hình|tác\s+tử)\b",
    ),
)
_BLACK_FLAG, _TAG_END = "\U0001f3f4", "\U000e007f"
_TAGS = re.compile("[\U000e0000-\U000e007f]+")
_OVERRIDES = re.compile("[\u202d\u202e]")
_EMBEDDINGS = re.compile("[\u202a\u202b\u2066-\u2069]")
_ZERO_WIDTH = re.compile("(?<=[A-Za-z0-9])[\u200b-\u200d\u2060\ufeff]+(?=[A-Za-z0-9])")
_SEEN_THROUGH = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")
_RIGHT_TO_LEFT = frozenset({"R", "AL"})


def instruction_flags(text: str) -> tuple[str, ...]:
    """What the text is suspected of, sorted, each once: ``override``, ``hidden_text`` and others; mostly none.

    What is not seen is taken out before the words are looked at, so that it hides none of them.
    """
    found = set[str]()
    if not text.isascii() and _SEEN_THROUGH.search(text):
        if _is_hidden(text):
            found.add("hidden_text")
        text = _SEEN_THROUGH.sub("", text)
    lowered = text.lower()
    found |= {rule.flag for rule in _RULES if rule.fits(text, lowered)}
    return tuple(sorted(found))


def _is_order(text: str, start: int) -> bool:
    """Whether the verb there begins a sentence or follows a "please": not what somebody is said to do."""
    return _BEGINS.search(text[max(0, start - _BEFORE) : start]) is not None


def _is_hidden(text: str) -> bool:
    """Tag characters outside of a flag, an order of writing that is turned round, or nothing within a word."""
    for tags in _TAGS.finditer(text):
        if text[tags.start() - 1 : tags.start()] != _BLACK_FLAG or not tags[0].endswith(_TAG_END):
            return True
    if _OVERRIDES.search(text) or _ZERO_WIDTH.search(text):
        return True
    return bool(_EMBEDDINGS.search(text)) and not any(unicodedata.bidirectional(c) in _RIGHT_TO_LEFT for c in text)
