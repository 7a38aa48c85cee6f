"""A month of logs as it reaches a nightly job: late rows, rows sent twice, talks over midnight, broken lines, a day without any."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random

DAYS = 30
SILENT_DAY = 12
_FIRST = datetime(2026, 11, 1, tzinfo=UTC)
_LEAK = "<think>\nOkay, the user wants the sum. Let me add them.\n</think>\n\nThe sum is 12."
_ANSWERS = ("The sum is 12.", "Seven of them remain.", _LEAK, "</think>\n\nThe sum is 12.", "Nothing is left over.")


def day_name(day: int) -> str:
    return (_FIRST + timedelta(days=day - 1)).date().isoformat()


def pair(identifier: str, moment: datetime | None, **given: object) -> dict[str, object]:
    """One pair row; `given`: conversation, answer, position (assistant messages before it), response_id, previous."""
    history = [{"role": "user", "content": f"Add them up, {given.get('conversation')}"}]
    for number in range(int(str(given.get("position", 1))) - 1):
        history += [{"role": "assistant", "content": f"Step {number}"}, {"role": "user", "content": "And now?"}]
    metadata = {"engine": "vllm", "engine_version": "0.33.0", "model": "Qwen/Qwen3-32B", "template_version": "v1"}
    if "response_id" in given:
        request: dict[str, object] = {
            "model": "qwen3-32b",
            "input": f"Add them up, {given['response_id']}",
            "previous_response_id": given["previous"],
        }
        text = {"type": "output_text", "text": given["answer"], "annotations": []}
        message = {"type": "message", "role": "assistant", "status": "completed", "content": [text]}
        response: dict[str, object] = {
            "id": given["response_id"],
            "object": "response",
            "status": "completed",
            "output": [message],
        }
    else:
        request = {"model": "qwen3-32b", "messages": history}
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": given["answer"]}}
        response = {"id": f"chatcmpl-{identifier}", "object": "chat.completion", "choices": [choice]}
        if given.get("conversation") is not None:
            metadata["conversation"] = str(given["conversation"])
    row: dict[str, object] = {"id": identifier, "request": request, "response": response, "metadata": metadata}
    return row if moment is None else row | {"time": moment.isoformat().replace("+00:00", "Z")}


def _conversation(random: Random, day: int, number: int) -> Iterator[tuple[datetime, dict[str, object]]]:
    """Turns of one conversation, hours apart, so that some of them lie on the days after."""
    moment = _FIRST + timedelta(days=day - 1, hours=random.randrange(24), minutes=random.randrange(60))
    name = f"{day:02d}-{number:02d}"
    chained = number % 5 == 0
    for position in range(1, random.randrange(1, 7)):
        given: dict[str, object] = {"answer": random.choice(_ANSWERS), "position": position}
        if chained:
            previous = f"resp_{name}-{position - 1}" if position > 1 else None
            given |= {"response_id": f"resp_{name}-{position}", "previous": previous}
        else:
            given |= {"conversation": f"talk-{name}"}
        yield moment, pair(f"call-{name}-{position}", moment, **given)
        moment += timedelta(minutes=random.randrange(1, 500))


def files_of_month(seed: int, *, conversations: int = 12) -> dict[str, tuple[int, bytes]]:
    """File name → (night after which it lies there, content). Night n follows day n."""
    random = Random(seed)
    lines: dict[str, tuple[int, list[bytes]]] = {}

    def put(night: int, name: str, row: dict[str, object]) -> None:
        lines.setdefault(name, (night, []))[1].append(json.dumps(row).encode())

    for day in range(1, DAYS + 1):
        for number in range(conversations):
            for moment, row in _conversation(random, day, number):
                own = (moment - _FIRST).days + 1
                if own > DAYS or own == SILENT_DAY:
                    continue
                late = random.random()
                if late < 0.08:
                    night = min(own + random.randrange(1, 9), DAYS)
                    put(night, f"late-{night:02d}.jsonl", row)
                else:
                    put(own, f"gateway-{own:02d}.jsonl", row)
                if random.random() < 0.06:
                    again = min(own + random.randrange(0, 5), DAYS)
                    put(again, f"again-{again:02d}.jsonl", row)
        noon = _FIRST + timedelta(days=day - 1, hours=12)
        if day != SILENT_DAY:
            put(day, f"gateway-{day:02d}.jsonl", pair(f"ping-{day}", noon, answer="pong"))
        if day % 7 == 0:
            put(day, f"late-{day:02d}.jsonl", pair(f"undated-{day}", None, conversation=f"undated-{day}", answer=_LEAK))
    broken = {name: [*rows, b"{not json"] if name.endswith("5.jsonl") else rows for name, (_, rows) in lines.items()}
    return {name: (lines[name][0], b"\n".join(rows) + b"\n") for name, rows in sorted(broken.items())}
