"""RULES: what counts as a leak, one value per rule; the order is the order of their bits in the TURN table."""

from pipelines.rules import (
    bare_tool_call,
    budget_sentence,
    channel_residue,
    copied_arguments,
    finish_reason,
    harmony_residue,
    invented_turn,
    marker_in_call,
    raw_tool_call,
    reasoning_block,
    reasoning_marker,
    reasoning_sentences,
    repeated_call,
    special_token,
    tool_arguments,
    tool_call_in_reasoning,
    tool_name,
    unlisted_token,
)
from pipelines.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    reasoning_block.RULE,
    reasoning_marker.RULE,
    harmony_residue.RULE,
    channel_residue.RULE,
    reasoning_sentences.RULE,
    budget_sentence.RULE,
    special_token.RULE,
    unlisted_token.RULE,
    invented_turn.RULE,
    raw_tool_call.RULE,
    bare_tool_call.RULE,
    copied_arguments.RULE,
    tool_call_in_reasoning.RULE,
    tool_arguments.RULE,
    tool_name.RULE,
    marker_in_call.RULE,
    finish_reason.RULE,
    repeated_call.RULE,
)
