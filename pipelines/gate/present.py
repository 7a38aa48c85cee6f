"""A gate's result as text, Markdown, JUnit XML and JSON; names from logs cannot add markup, links, mentions or control characters."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from xml.etree import ElementTree

from pipelines.gate.judge import GateResult
from pipelines.gate.planning import events_needed
from pipelines.gate.policy import Policy
from pipelines.gate.rows import Row, plain
from pipelines.intervals import share_at_ratio
from pipelines.visible import visible

_HEADLINES = {
    "pass": "pass: no declared measure got worse beyond the margin",
    "fail": "fail: at least one declared measure got worse",
    "not_enough_data": "not enough data: nothing failed, but not every declared measure could be judged",
}
_MARKS = {"pass": "✅", "fail": "❌", "waived": "⚠️", "not_enough_data": "❔", "not_applicable": "➖"}
_MOST_WATCHED = 20
_PLAIN = frozenset(" -.,;%()×'’…")


def policy_lines(policy: Policy) -> list[str]:
    """The policy as TOML, so that it can be copied into a file."""
    values = {name: value for name, value in asdict(policy).items() if name != "waivers"}
    lines = [f"{name} = {json.dumps(value)}" for name, value in values.items()]
    for waiver in policy.waivers:
        lines += ["", "[[waiver]]", f'fingerprint = "{waiver.fingerprint}"', f"reason = {json.dumps(waiver.reason)}"]
        lines.append(f"expires = {waiver.expires.isoformat()}")
    return lines


def as_text(result: GateResult, policy: Policy) -> str:
    """What the command prints."""
    lines = [*(f"policy: {line}" for line in policy_lines(policy) if line), ""]
    for row in result.rows:
        lines.append(
            f"{row.verdict.replace('_', ' '):<16} {visible(row.model, 60)}  {row.measure}  [{row.fingerprint}]"
        )
        lines += [f"{'':<16} {visible(line, 400)}" for line in (row.reason, *_beside(row))]
    moved = [row for row in result.watch if row.verdict == "watch"]
    if moved:
        lines += ["", "watch (never blocks), by the lower bound of the ratio:"]
        lines += [f"  {_place(row, 60)}  {row.measure}  {row.reason}" for row in moved[:_MOST_WATCHED]]
    lines += [
        "",
        *(f"note: {visible(note, 400)}" for note in (*result.notes, _limits(policy))),
        _HEADLINES[result.verdict],
    ]
    return "\n".join(lines)


def as_json(result: GateResult, policy: Policy) -> str:
    """Everything, for programs; null where a number does not exist."""
    value = {
        "verdict": result.verdict,
        "exit_code": result.exit_code,
        "policy": asdict(policy),
        "rows": [plain(row) for row in result.rows],
        "watch": [plain(row) for row in result.watch],
        "notes": list(result.notes),
    }
    return json.dumps(value, indent=1, ensure_ascii=True, allow_nan=False, default=str) + "\n"


def as_markdown(result: GateResult, policy: Policy) -> str:
    """A page for a pull request or a step summary."""
    lines = [f"## {_MARKS[result.verdict]} leakrate gate: {_HEADLINES[result.verdict]}", ""]
    lines += _table(
        ("", policy.compare_by.replace("_", " "), "measure", "verdict", "why", "fingerprint"),
        [
            (
                _MARKS[row.verdict],
                _code(row.model),
                _code(row.measure),
                row.verdict.replace("_", " "),
                _escaped("; ".join((row.reason, *_beside(row)))),
                _code(row.fingerprint),
            )
            for row in result.rows
        ],
    )
    compared = [row for row in result.watch if not math.isnan(row.ratio)]
    if compared:
        lines += ["", "<details><summary>Moved, by the lower bound of the ratio (never blocks)</summary>", ""]
        lines += _table(
            ("where", "measure", "verdict", "ratio"),
            [
                (_code(_place(row, 80)), _code(row.measure), row.verdict.replace("_", " "), _escaped(row.reason))
                for row in compared[:_MOST_WATCHED]
            ],
        )
        lines += ["", "</details>"]
    lines += ["", *(f"- {_escaped(note)}" for note in (*result.notes, _limits(policy)))]
    lines += [
        "",
        "<details><summary>Policy</summary>",
        "",
        *(f"    {visible(line, 400)}" for line in policy_lines(policy)),
    ]
    return "\n".join([*lines, "", "</details>", ""])


def as_junit(result: GateResult) -> str:
    """One test case per declared measure and model; `not enough data` is an error, so that no reader takes it for a pass."""
    count = {verdict: sum(row.verdict == verdict for row in result.rows) for verdict in _MARKS}
    suite = ElementTree.Element(
        "testsuite",
        name="leakrate gate",
        tests=str(len(result.rows)),
        failures=str(count["fail"]),
        errors=str(count["not_enough_data"]),
        skipped=str(count["waived"] + count["not_applicable"]),
    )
    tags = {"fail": "failure", "not_enough_data": "error", "waived": "skipped", "not_applicable": "skipped"}
    for row in result.rows:
        case = ElementTree.SubElement(suite, "testcase", classname=visible(row.model, 200), name=row.measure)
        if row.verdict in tags:
            ElementTree.SubElement(case, tags[row.verdict], message=visible(row.reason, 400), type=row.verdict)
    root = ElementTree.Element("testsuites")
    root.append(suite)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _limits(policy: Policy) -> str:
    """What such a comparison can and cannot show."""
    same = events_needed(0.5, float(share_at_ratio(0.5, policy.ratio_margin)), alpha=policy.alpha, power=policy.power)
    tenfold = events_needed(10 / 11, 0.5, alpha=policy.alpha, power=policy.power)
    return (
        f"with sides of equal size a tenfold rise shows after about {tenfold:.0f} leaking conversations, while not being "
        f"×{policy.ratio_margin:g} as bad takes about {same:.0f} to show; small differences cannot be excluded"
    )


def _beside(row: Row) -> list[str]:
    """What stands beside a verdict: position 1 alone, and how much accepted runs differ."""
    said = []
    if math.isfinite(row.first_ratio):
        said.append(f"first turns alone: ×{row.first_ratio:.2f}, at most ×{row.first_ratio_high:.2f}")
    if row.noise_ratio > 1:
        said.append(f"accepted runs differ among themselves by up to ×{row.noise_ratio:.2f}")
    return said


def _place(row: Row, limit: int) -> str:
    against = "" if row.against == row.model else " against all of the baseline"
    return f"{row.dimension}={visible(row.model, limit)}{against}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


def _code(text: str) -> str:
    return f"<code>{_escaped(text)}</code>"


def _escaped(text: str) -> str:
    """Text whose every sign that Markdown, HTML or a forge could read is a character reference."""
    return "".join(
        sign if sign.isalnum() or sign in _PLAIN else f"&#{ord(sign)};" for sign in visible(text, 400)
    ).replace("www.", "www&#46;")
