"""Verdicts: a candidate's counts against a baseline's, by a policy, and what else moved.

The comparison is on first leaks of conversations by position, since shares of leaking conversations are biased as soon as lengths
or window edges differ. Only the few measures that the policy declares can block; the rest is watched.
"""

from pipelines.gate.judge import GateResult, judge
from pipelines.gate.policy import Policy, Waiver, read_policy
from pipelines.gate.rows import Row, plain, verdict_table

__all__ = ["GateResult", "Policy", "Row", "Waiver", "judge", "plain", "read_policy", "verdict_table"]
