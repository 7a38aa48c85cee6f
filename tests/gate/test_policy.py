"""The default policy, and that a wrong policy is refused in a sentence that names file, key and what is allowed."""

import datetime

import pytest

from pipelines.errors import ConfigurationError, DataError
from pipelines.gate import Policy, Waiver, read_policy
from pipelines.gate.policy import check_measures, fingerprint
from pipelines.gate.present import policy_lines

WAIVER = '[[waiver]]\nfingerprint = "0123456789ab"\nreason = "known fault"\nexpires = 2027-01-31\n'


def test_the_default_policy() -> None:
    policy = Policy()
    assert policy.measures == ("reasoning_leak", "boundary_token", "raw_tool_call", "structured_invalid")
    assert (policy.compare_by, policy.mode, policy.models, policy.waivers) == ("model", "fixed", (), ())
    assert (policy.ratio_margin, policy.floor, policy.alpha, policy.quiet_rate) == (2.0, 1e-4, 0.05, 0.01)
    assert read_policy("", "policy.toml") == policy


def test_every_key_is_read() -> None:
    text = (
        'measures = ["preamble"]\nmodels = ["a", "b"]\ncompare_by = "served_model"\nmode = "sequential"\nratio_margin = 3\n'
        f"floor = 0\nalpha = 0.01\npower = 0.9\nquiet_rate = 0.02\nwatch_level = 0.2\n{WAIVER}"
    )
    assert read_policy(text, "policy.toml") == Policy(
        measures=("preamble",),
        compare_by="served_model",
        models=("a", "b"),
        mode="sequential",
        ratio_margin=3.0,
        floor=0.0,
        alpha=0.01,
        power=0.9,
        quiet_rate=0.02,
        watch_level=0.2,
        waivers=(Waiver("0123456789ab", "known fault", datetime.date(2027, 1, 31)),),
    )


def test_the_printed_policy_reads_back() -> None:
    policy = read_policy(f'measures = ["preamble"]\nratio_margin = 1.5\n{WAIVER}', "policy.toml")
    assert read_policy("\n".join(policy_lines(policy)), "printed") == policy


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("measures = ", "not valid TOML"),
        ("measure = []", "unknown key 'measure'; allowed are measures"),
        ('measures = "preamble"', "measures must be a list"),
        ("measures = []", "at least one"),
        ('measures = ["a", "a"]', "twice"),
        ("models = [1]", "models must be a list"),
        ('mode = "daily"', "allowed are fixed, sequential"),
        ("mode = 1", "allowed are fixed, sequential"),
        ('compare_by = "engine"', "allowed are model, served_model, all"),
        ("ratio_margin = 1", "above 1 and below 1000"),
        ("ratio_margin = true", "above 1"),
        ('ratio_margin = "2"', "above 1"),
        ("ratio_margin = nan", "above 1"),
        ("alpha = 0", "above 0 and below 0.5"),
        ("alpha = 0.5", "below 0.5"),
        ("floor = -0.1", "above 0"),
        ("power = 1.0", "below 1"),
        ("[waiver]", "[[waiver]]"),
        ("waiver = [1]", "[[waiver]]"),
        (WAIVER.replace("reason", "because"), "unknown key 'because'"),
        (WAIVER.replace("0123456789ab", "0123"), "twelve hex digits"),
        (WAIVER.replace("known fault", " "), "reason must say why"),
        (WAIVER.replace("expires = 2027-01-31", ""), "expires must be a day"),
        (WAIVER.replace("2027-01-31", '"2027-01-31"'), "expires must be a day"),
        (WAIVER.replace("2027-01-31", "2027-01-31T00:00:00Z"), "expires must be a day"),
    ],
)
def test_a_wrong_policy_is_refused(text: str, says: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        read_policy(text, "policy.toml")
    assert says in str(refusal.value)
    assert "policy.toml" in str(refusal.value)


def test_measures_must_exist_and_be_stable() -> None:
    known, preview = frozenset({"reasoning_leak", "some-rule"}), frozenset({"some-rule"})
    check_measures(Policy(measures=("reasoning_leak",)), known, preview)
    with pytest.raises(ConfigurationError, match="preview rules never gate"):
        check_measures(Policy(measures=("some-rule",)), known, preview)
    with pytest.raises(ConfigurationError, match="they have reasoning_leak"):
        check_measures(Policy(measures=("resoning_leak",)), known, preview)
    with pytest.raises(DataError, match="nothing to compare"):
        check_measures(Policy(), frozenset(), preview)


def test_fingerprints_tell_names_apart() -> None:
    assert fingerprint("a", "bc") != fingerprint("ab", "c")
    assert len(fingerprint("\ud800")) == 12
