"""Cases out of a file: one exchange a line with the right answer beside it."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from pipelines.errors import InputError
from pipelines.schema import SYMPTOMS


class Expected(msgspec.Struct, frozen=True):
    """What a person says about the exchange; see the README of this folder."""

    symptoms: tuple[str, ...] = ()
    also_ok: tuple[str, ...] = ()
    leak_text: str | None = None
    leak_texts: tuple[str, ...] | None = None
    repair: str = "none"
    rescue_text: str | None = None
    rescue_tool_call: dict[str, Any] | None = None
    rescue_tool_calls: tuple[dict[str, Any], ...] | None = None
    clean_content: str | None = None
    label: str = "firm"
    hazard: str | None = None
    choice_index: int | None = None

    @property
    def pieces(self) -> tuple[str, ...]:
        """The leaked texts, none where the fault is not in the content."""
        return self.leak_texts or ((self.leak_text,) if self.leak_text else ())

    @property
    def calls(self) -> tuple[dict[str, Any], ...]:
        """The calls that have to come out of a rescue."""
        return self.rescue_tool_calls or ((self.rescue_tool_call,) if self.rescue_tool_call else ())


class Case(msgspec.Struct, frozen=True):
    """One line of a case file; `record` is a pair without its id."""

    id: str
    record: dict[str, Any]
    expected: Expected
    lang: str = "unknown"
    why: str = ""

    def pair(self) -> dict[str, Any]:
        """The exchange in the pair format."""
        return {"id": self.id, **self.record}


def read_cases(lines: Iterable[bytes | str], name: str) -> Iterator[Case]:
    """The cases of a file in order; blank lines are left out. Raises InputError that names file and line, and the allowed symptoms."""
    decode = msgspec.json.Decoder(Case).decode
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            case = decode(line)
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise InputError(f"{name}, line {number}: not a case: {_without_text(error)}") from None
        unknown = sorted({*case.expected.symptoms, *case.expected.also_ok} - set(SYMPTOMS))
        if unknown:
            raise InputError(
                f"{name}, line {number}: no symptom of this name: {', '.join(unknown)}; allowed: {', '.join(SYMPTOMS)}"
            )
        yield case


def _without_text(error: Exception) -> str:
    return str(error) if isinstance(error, msgspec.MsgspecError) else "not UTF-8"
