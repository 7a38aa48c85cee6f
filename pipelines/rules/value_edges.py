"""The text of an argument without the tags of the call format that a parser left at its ends."""

import re2

from pipelines.rules.views.echo import speaks_of
from pipelines.schema import Record

_FRONT = re2.compile(
    r"^\s*(?:<arg_value>|<parameter(?:=[\w.-]+| name=\"[\w.-]+\")?>|<\|tool_call_argument_begin\|>|<\|\"\|>|<escape>)+"
)
_BACK = re2.compile(
    r"(?:\s*(?:</arg_value>|</arg_key>|</parameter>|</function>|</tool_call>|</invoke>|</?think>|<\|tool_call_end\|>|<\|im_end\|>|<\|\"\|>|<escape>"
    r"|<\|call\|>|<\|channel\|>\w*|<[|｜]tool[▁_]call[▁_]end[|｜]>|</[|｜]DSML[|｜]parameter>))+\s*$"
)
_NAMED = re2.compile(r"[ \t=:,;|&+*?\\^`(\[{<~/@#$_-]$|[*+?]\)$|(?:^|[\s=:(\[,])[\"']$")
"""What stands before a mark that a sentence, an assignment or a pattern names; a remnant is glued to the value or on a new line."""


def without_edges(value: object) -> object:
    """A text without the tags at its ends; one that is nothing else, or holds the other half of such a tag, stays as it is."""
    if not isinstance(value, str):
        return value
    bare = str(_BACK.sub("", _FRONT.sub("", value)))
    return bare if bare.strip() and "<" not in bare else value


def without_remnants(value: object, record: Record) -> object:
    """The same, only where the tags are remnants and not meant: nothing names them, neither the text nor a user or tool message."""
    bare = without_edges(value)
    if bare == value or not isinstance(value, str) or not isinstance(bare, str):
        return value
    front, _, back = value.partition(bare)
    named = _NAMED.search(bare + back[:1] if back[:1] in " \t" else bare) if back.strip() else None
    told = bool(front.strip()) and bare[:1] in " \t"
    return value if named or told or speaks_of(record, tuple(filter(None, (front.strip(), back.strip())))) else bare
