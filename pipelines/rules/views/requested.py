"""Whether the request asks for a marker: the tag is prescribed by a system prompt, or a user tells the model to use it."""

import re2

from pipelines.schema import Record

_TELLS = re2.compile(
    r"(?i)\b(put|wrap|inside|within|between|enclose\w*|surround\w*|use|using|write|begin|start|format|respond|reply|output|"
    r"reason|think|return|emit|place|setze?|schreib\w*|zwischen|innerhalb|verwende\w*|nutze?|mets|écris|entre|dans|utilise\w*|"
    r"usa|escribe|dentro|coloca|escreva|metti|scrivi|tra|gebruik|tussen|zet)\b"
    r"|用|放|包|写|之间|使用|で囲|の中|使っ|書い|안에|사이|써|внутри|между|используй|пиши|в тег|ضع|بين|داخل|استخدم|में|बीच|के अंदर"
)
_INTO = re2.compile(
    r"(?i)\b(?:in|inside|into|within|between|en|dans|entre|em|tra)(?: the| a| an| den| des| las| los| as)? ?[`'\"]?$"
)
_FORMATS = re2.compile(
    r"(?i)^(?: ?(?:…|\.{3})? ?</?[a-z_]{1,20}>)?[`'\"]? ?(?:tags?|sections?|blocks?|elements?|balises?|etiquetas?|marcas?)"
    r"\b|^[`'\"]? ?标签"
)
"""In <x> tags: where the words around a tag make it a format, whatever the verb of the sentence is."""
_REPORTS = re2.compile(
    r"(?i)\b(?:why|came|began|begins|starts|started|shows|shown|appears|appeared|contains|got|gets|leak\w*|seeing|"
    r"warum|pourquoi|por que|perche)\b"
)
"""Who tells that a tag came does not ask for it."""
_FORBIDS = re2.compile(
    r"(?i)\b(do not|don't|never|without|avoid|no|not|must not|nicht|kein\w*|ohne|sans|pas|jamais|sin|no uses|nunca|sem|não|senza|non|"
    r"geen|niet)\b"
    r"|不要|别|勿|禁止|不得|しない|使わない|禁止|마세요|말고|않|без|не |нельзя|لا |بدون|नहीं|मत"
)
_WINDOW = 80
_MENTIONS = 8
"""Places of a marker that are looked at; a request that names it more often is talking about it."""


def is_requested(record: Record, markers: tuple[str, ...], *, by_system: bool = True) -> bool:
    """Whether the system prompt names one of `markers` without forbidding it (unless `by_system` is False), or a user message tells the
    model to use it."""
    for text, prescribed in _texts(record):
        if prescribed and not by_system:
            continue
        for marker in markers:
            at = text.find(marker)
            if at < 0:
                continue
            for _ in range(_MENTIONS):
                if at < 0:
                    break
                before, after = text[max(0, at - _WINDOW) : at], text[at + len(marker) : at + len(marker) + _WINDOW]
                told = prescribed or (_tells(before, after) and not _REPORTS.search(before))
                if told and not _FORBIDS.search(before):
                    return True
                at = text.find(marker, at + len(marker))
    return False


def _tells(before: str, after: str) -> bool:
    """Whether the words around a marker tell the model to use it."""
    return bool(_TELLS.search(f"{before} … {after}") or (_INTO.search(before) and _FORMATS.match(after)))


def _texts(record: Record) -> list[tuple[str, bool]]:
    texts = [(record.instructions or "", True)]
    for message in record.messages or ():
        if message.role in ("system", "developer"):
            texts.append((message.content, True))
        elif message.role == "user":
            texts.append((message.content, False))
    return texts
