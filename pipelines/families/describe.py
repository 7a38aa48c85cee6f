"""What is known of a family, as labelled lines for a reader and as one row of a table."""

import json

from pipelines.families.family import Family

COLUMNS = ("family", "reasoning", "thinking", "tool calls", "vLLM parsers", "SGLang parsers")
"""Headings of `row`."""

_THINKING = {
    "on": "on by default",
    "off": "off by default",
    "always": "always",
    "adaptive": "decided by the model, turn by turn",
    "none": "does not reason",
    "unknown": "default not known",
}
_HISTORY = {
    "kept": "the template renders the reasoning of all earlier turns",
    "dropped_except_tool_turns": "the template renders reasoning only behind the last user message",
    "dropped_by_template": "the template drops earlier reasoning",
    "in_content_only": "no field for reasoning: the template renders earlier content as sent",
    "none": "no reasoning to send back",
    "unknown": "not known",
}


def literal(text: str) -> str:
    """A marker in quotes, with its line ends and other control characters spelled out."""
    return json.dumps(text, ensure_ascii=False)


def row(family: Family) -> tuple[str, ...]:
    """One cell for each of COLUMNS; a dash where there is nothing."""
    pairs = [f"{literal(start)} … {literal(end)}" for start, end in family.reasoning_pairs]
    return tuple(
        cell or "–"
        for cell in (
            family.name,
            ", ".join(pairs),
            family.thinking_default,
            ", ".join(family.call_syntaxes),
            _parsers(family.vllm_reasoning_parsers, family.vllm_tool_parsers),
            _parsers(family.sglang_reasoning_parsers, family.sglang_tool_parsers),
        )
    )


def facts(family: Family) -> tuple[tuple[str, str], ...]:
    """(label, text) in reading order; what is not known or does not apply has no line."""
    since = (f"{one.name}: since {one.seen_in} (not in {one.absent_in})" for one in family.vllm_parser_versions)
    lines = (
        ("vendor", family.vendor),
        ("reasons", _thinking(family)),
        ("thinking switch", family.thinking_switch or ("none" if family.reasons else "")),
        ("reasoning", _pairs(family)),
        ("answer wrapper", _literals(family.answer_wrapper)),
        ("tool calls", ", ".join(family.call_syntaxes)),
        ("call markers", _literals(family.call_markers)),
        ("example call", family.example_call or ""),
        ("special tokens", _literals(family.special_tokens)),
        ("stripped", _stripped(family)),
        ("history", _history(family)),
        ("vLLM", "\n".join((_engine(family.vllm_reasoning_parsers, family.vllm_tool_parsers, family.reasons), *since))),
        ("SGLang", _engine(family.sglang_reasoning_parsers, family.sglang_tool_parsers, family.reasons)),
        ("notes", family.notes),
        ("unverified", "; ".join(family.unverified)),
        ("sources", family.sources),
    )
    return tuple((label, text) for label, text in lines if text)


def _thinking(family: Family) -> str:
    if not family.reasons:
        return "no: this family does not reason, so there is nothing to separate"
    text = f"yes, {_THINKING[family.thinking_default]}"
    if family.thinking_default_sglang is not None:
        text += f" (SGLang: {_THINKING[family.thinking_default_sglang]})"
    return text


def _pairs(family: Family) -> str:
    pairs = "\n".join(f"{literal(start)} … {literal(end)}" for start, end in family.reasoning_pairs)
    if not pairs:
        return "no marker in the output" if family.reasons else ""
    if family.start_prefilled is None:
        return f"{pairs}\nwhether the template writes the opening marker depends on the mode or is not known"
    who = "the template writes the opening marker: output has only the closing one" if family.start_prefilled else ""
    return f"{pairs}\n{who or 'the model writes the opening marker itself'}"


def _stripped(family: Family) -> str:
    lines = []
    if family.markers_are_special is not None:
        lines.append("markers vanish" if family.markers_are_special else "markers stay")
    if family.residue:
        lines.append(f"leaves {_literals(family.residue)}")
    if family.residue_note:
        lines.append(family.residue_note)
    return "\n".join(lines)


def _history(family: Family) -> str:
    lines = [_HISTORY[family.history_reasoning]]
    if family.history_reasoning_fields:
        lines.append(f"read from: {', '.join(family.history_reasoning_fields)}")
    if family.history_note:
        lines.append(family.history_note)
    return "\n".join(lines)


def _literals(literals: tuple[str, ...]) -> str:
    return "  ".join(literal(one) for one in literals)


def _parsers(reasoning: tuple[str, ...], tools: tuple[str, ...]) -> str:
    return " · ".join(("|".join(reasoning) or "–", "|".join(tools) or "–")) if reasoning or tools else ""


def _engine(reasoning: tuple[str, ...], tools: tuple[str, ...], reasons: bool) -> str:
    lines = []
    if reasoning:
        lines.append(f"--reasoning-parser {' | '.join(reasoning)}")
    elif reasons:
        lines.append("no reasoning parser known")
    lines.append(f"--tool-call-parser {' | '.join(tools)}" if tools else "no tool-call parser known")
    return "\n".join(lines)
