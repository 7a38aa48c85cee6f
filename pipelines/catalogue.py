"""The generated parts of the READMEs: tables of families, call syntaxes, rules, log formats and of what flows between steps.

A page is written by hand but for the text between two comments, `<!-- generated: NAME … -->` and `<!-- end: NAME -->`, which comes
from the collections themselves. A test refuses a page whose generated part is not what `parts` says now.
"""

import re
from collections.abc import Sequence

import msgspec
import pyarrow as pa

from pipelines import schema
from pipelines.errors import ConfigurationError
from pipelines.families import CALL_SYNTAXES, FAMILIES
from pipelines.families.describe import COLUMNS, row
from pipelines.formats import FORMATS
from pipelines.formats.format import Format
from pipelines.rules import RULES
from pipelines.rules.rule import Rule

TABLES = ("REJECT", "DETECTION", "TURN", "COUNT", "RATE", "COVERAGE")
LISTS = ("GROUP", "CUTS", "SYMPTOMS", "LAYERS", "TIERS", "STATUSES", "CHANNELS", "REPAIRS")
SECTIONS = ("Catches", "Why it matters", "Misses", "False alarms", "Likely layers")
"""The headings in a rule's docstring."""


class Part(msgspec.Struct, frozen=True):
    """One generated part: the page it stands in (a path below `pipelines/`), its name there and its Markdown."""

    page: str
    name: str
    text: str


def parts() -> tuple[Part, ...]:
    """Every generated part, as the collections are now."""
    return (
        Part("families/README.md", "families", _families()),
        Part("families/README.md", "call-syntaxes", _call_syntaxes()),
        Part("rules/README.md", "rules", _rules()),
        Part("formats/README.md", "formats", _formats()),
        Part("README.md", "tables", _tables()),
    )


def refreshed(page: str, part: Part) -> str:
    """The page's text with the part put between its comments. Raises ConfigurationError when the page lacks them."""
    found = re.search(f"(<!-- generated: {part.name} .*?-->\n).*?(<!-- end: {part.name} -->)", page, re.DOTALL)
    if found is None:
        raise ConfigurationError(
            f"{part.page}: no place for the part {part.name!r}; it needs the lines `<!-- generated: {part.name} … -->` "
            f"and `<!-- end: {part.name} -->`"
        )
    return f"{page[: found.end(1)]}\n{part.text.strip()}\n\n{page[found.start(2) :]}"


def code(text: str) -> str:
    """Text as a Markdown code span that also holds inside a table."""
    text = text.replace("\n", "\\n").replace("|", "\\|")
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


def _table(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = (headings, tuple("---" for _ in headings), *rows)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _families() -> str:
    rows = []
    for family in FAMILIES:
        name, _, thinking, calls, vllm, sglang = row(family)
        pairs = ", ".join(f"{code(start)} … {code(end)}" for start, end in family.reasoning_pairs)
        plain = tuple(cell.replace("|", " or ") for cell in (vllm, sglang))
        rows.append((name, family.vendor, pairs or "–", thinking, calls, *plain))
    headings = (COLUMNS[0], "vendor", *COLUMNS[1:])
    return (
        f"{len(FAMILIES)} families, in order of matching. Parsers: reasoning · tool calls.\n\n{_table(headings, rows)}"
    )


def _call_syntaxes() -> str:
    rows = []
    for syntax in CALL_SYNTAXES:
        writers = [family for family in FAMILIES if syntax in family.call_syntaxes]
        example = next((f.example_call for f in writers if f.call_syntaxes[0] == syntax and f.example_call), None)
        rows.append((syntax, code(example) if example else "–", ", ".join(family.name for family in writers)))
    return _table(("call syntax", "example", "families"), rows)


def _rules() -> str:
    overview = [
        (f"[{rule.id}](#{rule.id})", rule.symptom, rule.tier, rule.status, str(rule.version), rule.repair)
        for rule in RULES
    ]
    table = _table(("rule", "symptom", "tier", "status", "version", "repair"), overview)
    return "\n\n".join((table, *(_rule(rule) for rule in RULES)))


def _rule(rule: Rule) -> str:
    """The rule's own words, with its sections as a list."""
    sections = re.sub(rf"^({'|'.join(SECTIONS)}): ", r"- **\1**: ", rule.doc.strip(), flags=re.MULTILINE)
    lines = [f"### {rule.id}", "", sections]
    lines += [f"- **{label}**: {text}" for label, text in (("Action", rule.action), ("Verify", rule.verify)) if text]
    lines.append(f"- **Looks at**: {rule.channel}; {len(rule.leaks)} examples that leak, {len(rule.clean)} that do not")
    return "\n".join(lines)


def _formats() -> str:
    rows = [
        (entry.name, entry.title, entry.framing, ", ".join(entry.shows) or "–", _partners(entry)) for entry in FORMATS
    ]
    return _table(("format", "what it is", "framing", "can show", "partners"), rows)


def _partners(entry: Format) -> str:
    if entry.engine_raw:
        return "engine text, joined to the gateway's rows"
    if entry.join_only:
        return "completes other rows only"
    return "rows that belong together" if entry.join_key is not None else "–"


def _tables() -> str:
    blocks = [f"**{name}**: {', '.join(code(value) for value in getattr(schema, name))}" for name in LISTS]
    for name in TABLES:
        columns = ", ".join(_column(field) for field in getattr(schema, name))
        blocks.append(f"**{name}**: {columns}")
    return "\n\n".join(blocks)


def _column(field: pa.Field) -> str:
    kind = "string" if pa.types.is_dictionary(field.type) and field.type.value_type == pa.string() else str(field.type)
    if pa.types.is_dictionary(field.type) and field.type.value_type == pa.binary():
        kind = "bits"
    return f"{code(field.name)} {kind.replace('|', ' ')}{' or null' if field.nullable else ''}"
