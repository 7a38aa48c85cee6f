"""Parameters that are read once for all calls alike say what they say when each call is read by itself."""

import hypothesis.strategies as st
from hypothesis import given

from pipelines.formats._dialects import read_parameters, read_request

TURN = {"role": "user", "content": "Tide?"}
HISTORIES = st.sampled_from([None, [], [TURN], [TURN, {"role": "assistant", "content": "Moon."}], "Tide?", 5])
PARAMETERS = st.fixed_dictionaries(
    {},
    optional={
        "tools": st.just([{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]),
        "tool_choice": st.sampled_from(["none", "auto", {"type": "function", "function": {"name": "f"}}]),
        "stop": st.sampled_from(["x", ["a", "b"], None]),
        "stream": st.booleans(),
        "max_tokens": st.sampled_from([5, "5", float("inf"), float("nan"), 1 << 70]),
        "response_format": st.sampled_from([{"type": "json_object"}, {"type": "text"}]),
        "messages": st.sampled_from([None, [{"role": "user", "content": "Other."}]]),
        "input": st.just("Prompt."),
        "system": st.sampled_from(["Brief.", "\ud800"]),
        "extra_body": st.just({"chat_template_kwargs": {"enable_thinking": False}, "messages": [TURN]}),
    },
)


@given(PARAMETERS, HISTORIES)
def test_both_readings_agree(parameters: dict[str, object], history: object) -> None:
    alone = read_request({"messages": history, **parameters}, whole_body=False)
    assert read_parameters(parameters, history) == alone


def test_what_one_call_changes_is_not_changed_for_the_next() -> None:
    first = read_parameters({"n": 1}, [TURN])
    first.messages, first.stop = None, ("x",)
    assert read_parameters({"n": 1}, [TURN]) == read_request({"messages": [TURN], "n": 1}, whole_body=False)
