"""RULES: what counts as a leak, one value per rule; the order is the order of their bits in the TURN table."""

from pipelines.rules import (
    budget_sentence,
    channel_residue,
    harmony_residue,
    invented_turn,
    reasoning_block,
    reasoning_marker,
    reasoning_sentences,
    special_token,
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
)
