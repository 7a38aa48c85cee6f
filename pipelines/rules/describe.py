"""What a rule says about itself, as texts: its first sentence, the sections of its documentation, its advice and its examples."""

from pipelines.rules.rule import Rule

SECTIONS = ("Catches", "Why it matters", "Misses", "False alarms", "Likely layers")
COLUMNS = ("rule", "version", "status", "tier", "symptom", "repair", "what it finds")


def summary(rule: Rule) -> str:
    """The first sentence of the rule's documentation, on one line."""
    return " ".join(rule.doc.strip().partition("\n\n")[0].split())


def sections(rule: Rule) -> dict[str, str]:
    """Section → its text on one line, in the order of SECTIONS."""
    body = rule.doc.partition("\n\n")[2]
    texts: dict[str, str] = {}
    for index, name in enumerate(SECTIONS):
        rest = body.partition(f"{name}: ")[2]
        following = SECTIONS[index + 1] if index + 1 < len(SECTIONS) else None
        texts[name] = " ".join((rest.partition(f"\n{following}: ")[0] if following else rest).split())
    return texts


def row(rule: Rule) -> tuple[str, ...]:
    """The cells of one line of the list, in the order of COLUMNS."""
    return (rule.id, str(rule.version), rule.status, rule.tier, rule.symptom, rule.repair, summary(rule))


def examples(rule: Rule) -> dict[str, list[str]]:
    """The reasons of the rule's examples: `leaks` on which it fires and `clean` ones on which it does not."""
    return {"leaks": [example.reason for example in rule.leaks], "clean": [example.reason for example in rule.clean]}
