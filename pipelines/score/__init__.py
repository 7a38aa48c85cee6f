"""Score of the rules on a file of cases: exchanges with the right answer beside them."""

from pipelines.score.case import Case, Expected, read_cases
from pipelines.score.summary import Count, Share, Summary, summarise
from pipelines.score.verdict import Verdict, judge

__all__ = ["Case", "Count", "Expected", "Share", "Summary", "Verdict", "judge", "read_cases", "summarise"]
