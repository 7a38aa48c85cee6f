"""The first screen of the page: is it bad, where, since when, what to do, and how much could be judged."""

from collections.abc import Mapping, Sequence
from typing import Any

from pipelines.report.answers import SYMPTOM_WORDS, Answers, Row, Since
from pipelines.report.markup import Markup, html, joined, number, percent, plural, spaced, visible

_WORDS = {"severe": ("✖", "Yes, severe."), "clear": ("▲", "Yes, clearly."), "rare": ("●", "Rare so far.")}
_MARKED = '<p class="big"><span class="mark" aria-hidden="true">{mark}</span> {words}</p>\n'


def first_screen(found: Answers, advice: Sequence[Mapping[str, str]]) -> Markup:
    """Four articles; `advice` is that for the rules that found most, the first one first."""
    return html(
        '<section class="answers {severity}" aria-label="Summary">\n'
        '  <article class="lead">\n    <h2>Is it bad?</h2>\n    {bad}  </article>\n'
        "  <article>\n    <h2>Where?</h2>\n    {where}  </article>\n"
        "  <article>\n    <h2>Since when?</h2>\n    {since}  </article>\n"
        "  <article>\n    <h2>What to do?</h2>\n    {action}  </article>\n</section>\n",
        severity=found.severity,
        bad=_bad(found),
        where=_where(found),
        since=_since(found.since, leaked=found.worst is not None),
        action=_action(advice, worst=found.worst),
    )


def _bad(found: Answers) -> Markup:
    if found.severity == "unjudged":
        return html(_MARKED, mark="?", words="Nothing could be judged.") + Markup(
            "<p>No log row showed an answer that a rule can look at. "
            'See <a href="#coverage">coverage</a> for the reasons.</p>\n'
        )
    if found.worst is None:
        bound = "There are too few conversations for an upper bound."
        if found.bound is not None:
            bound = (
                "That is no proof of zero: with these numbers the least covered rate may still be as high as "
                f"{percent(found.bound)}."
            )
        return html(_MARKED, mark="✓", words="No leak was found.") + html("<p>{bound}</p>\n", bound=bound)
    worst, (mark, words) = found.worst, _WORDS[found.severity]
    return html(_MARKED, mark=mark, words=f"{words} {percent(worst['rate'])} of turns") + html(
        "<p>{symptom}: {leaked} of {turns} turns{interval}; {hit} of {conversations} conversations were hit.</p>\n",
        symptom=SYMPTOM_WORDS[worst["measure"]].capitalize(),
        leaked=number(worst["leaked_turns"]),
        turns=number(worst["turns"]),
        interval=_interval(worst),
        hit=number(worst["leaked_conversations"]),
        conversations=number(worst["conversations"]),
    )


def _interval(row: Row) -> str:
    if row["low"] is not None:
        return f" (95 % interval {percent(row['low'])} to {percent(row['high'])})"
    if row["high"] is not None:
        return f" (at most {percent(row['high'])})"
    return f" (no interval: {spaced(row['reason'])})"


def _where(found: Answers) -> Markup:
    if found.worst is None:
        return Markup('<p class="big">Nowhere</p>\n')
    limits = {"model": 60, "engine": 60, "engine_version": 40, "template_version": 60, "gateway": 60}
    place = html(
        '<p class="big">{model}</p>\n<dl>\n<dt>engine</dt><dd>{engine} {engine_version}</dd>\n'
        "<dt>template</dt><dd>{template_version}</dd>\n<dt>gateway</dt><dd>{gateway}</dd>\n</dl>\n",
        **{name: visible(found.worst[name], limit) for name, limit in limits.items()},
    )
    more = html(
        '<p><a href="#rates">{count} more {rates} above zero</a></p>\n',
        count=found.others,
        rates=plural(found.others, "rate"),
    )
    return place + more if found.others else place


def _since(since: Since | None, *, leaked: bool) -> Markup:
    if since is None:
        unknown = "<p>The log does not say on which day.</p>\n" if leaked else ""
        return Markup(f'<p class="big">–</p>{unknown}')
    day = html('<p class="big">{day}</p>\n', day=visible(since.day, 20))
    if since.before is None:
        words = f"First seen on that day; no day stands out as a rise ({percent(since.after)} over the window)."
        return day + html("<p>{words}</p>\n", words=words)
    changed = "No version that the log or the deployment file names changed that day."
    if since.changes:
        changed = f"That day changed: {visible('; '.join(since.changes), 300)}."
    rise = f"From that day {percent(since.after)} of turns, before it {percent(since.before)}."
    return day + html("<p>{rise}</p>\n<p>{changed}</p>\n", rise=rise, changed=changed)


def _action(advice: Sequence[Mapping[str, str]], *, worst: Row | None) -> Markup:
    if not advice:
        return (
            Markup("<p>Nothing. Keep the nightly run.</p>\n")
            if worst is None
            else Markup('<p>See <a href="#findings">the findings</a>.</p>\n')
        )
    others = [html('See also <a href="#rule-{rule}">{rule}</a>.', rule=other["rule"]) for other in advice[1:]]
    return html(
        "<p><strong>{action}</strong></p>\n<p>Check: {verify}</p>\n"
        '<p class="small">Rule <a href="#rule-{rule}">{rule}</a>. Likely: {layers}.\n{others}</p>\n',
        others=joined(others),
        **{name: advice[0][name] for name in ("action", "verify", "rule", "layers")},
    )


def judged(coverage: Sequence[Mapping[str, Any]]) -> Markup:
    """How many turns could be judged, and what became of the other items."""
    if not coverage:
        return Markup('<p class="judged">No source was read.</p>\n')
    names = ("scannable", "records", "rejected", "skipped", "duplicate")
    totals = {name: sum(row[name] for row in coverage) for name in names}
    return html(
        '<p class="judged">\n  Judged {scannable} of {records} turns\n  ({share}) in {sources} source {files};\n'
        "  {rejected} {items} could not be read, {skipped} held no answer, {duplicate} stood twice.\n</p>\n",
        share=percent(totals["scannable"] / totals["records"] if totals["records"] else None),
        sources=len(coverage),
        files=plural(len(coverage), "file"),
        items=plural(totals["rejected"], "item"),
        **{name: number(total) for name, total in totals.items()},
    )
