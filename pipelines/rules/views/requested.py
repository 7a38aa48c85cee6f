"""Whether the request asks for a marker: the tag is prescribed by a system prompt, or a user tells the model to use it."""

import re2

from pipelines.schema import Record

FORMAT = frozenset({"format"})
SUBJECT = frozenset({"subject"})
ALL = FORMAT | SUBJECT | {"loose"}
"""How a user message can name a mark; see `_sureness`."""
_TELLS = re2.compile(
    r"(?i)\b(put|wrap|inside|within|between|enclose\w*|surround\w*|use|using|write|begin|start|format|respond|reply|output|"
    r"reason|think|return|emit|place|setze?|schreib\w*|zwischen|innerhalb|verwende\w*|nutze?|mets|écris|entre|dans|utilise\w*|"
    r"usa|escribe|dentro|coloca|escreva|metti|scrivi|tra|gebruik|tussen|zet)\b"
    r"|用|放|包|写|之间|使用|签[中里内]|タグ内|で囲|の中|使っ|書い"
    r"|안에|사이|써|внутри|между|используй|пиши|в тег|ضع|بين|داخل|استخدم|में|बीच|के अंदर"
)
_INTO = re2.compile(
    r"(?i)\b(?:in|inside|into|within|between|en|dans|entre|em|tra)(?: the| a| an| den| des| las| los| as)? ?[`'\"]?$"
)
_FORMATS = re2.compile(
    r"(?i)^(?: ?(?:…|\.{3})? ?</?[a-z_]{1,20}>)?[`'\"]?[ -]?(?:tags?|sections?|blocks?|elements?|balises?|etiquetas?|marcas?)"
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
_HANDLES = re2.compile(
    r"(?i)\b(?:strip|remov|delet|drop|cut|pars|extract|match|detect|replac|filter|split|hid|escap|ignor|handl|count|captur|skip|"
    r"entfern|lösch|erkenn|ersetz|supprim|enlèv|retir|remplac|elimin|quit|borr|reemplaz|apag|rimuov|togli|verwijder|usuw|usuń)\w*"
    r"|удал|убер|убир|вырез|замен|парс|去除|去掉|删除|移除|解析|提取|匹配|过滤|替换|削除|除去|取り除|抽出|제거|삭제|파싱|추출|احذف|إزالة|हटा"
)
"""What is done with marks that somebody else wrote."""
_CONCERNS = re2.compile(
    r"(?i)(?:^|[^\pL\pN])(?:about|of|on|for|regarding|über|zu|für|sobre|acerca de|sur|pour|su|per|over|voor|о|об|про|для)"
    r"(?: the| a| an| any| all| das| die| den| les| los| as| i| gli)? ?[`'\"]?$"
)
"""The mark is the subject of what is asked for."""
_CLAUSE = re2.compile(r"[.!?;,\n。！？；，、]|\b(?:and|then|und|et|y|e|en) \pL")
_MARK = re2.compile(r"</?[\w:]{1,20}>|\[/?\w{1,20}\]")
_AFTER = 30
"""Characters behind a mark in which languages that put the verb last say what is done with it."""
_NEAR = 24
"""Characters between the word that tells and the mark that it tells to use."""
_WINDOW = 80
_MENTIONS = 8
"""Places of a marker that are looked at; a request that names it more often is talking about it."""


def is_requested(
    record: Record, markers: tuple[str, ...], *, by_system: bool = True, accepts: frozenset[str] = ALL
) -> bool:
    """Whether the system prompt names one of `markers` without forbidding it (unless `by_system` is False), or a user message tells the
    model to use it, as surely as `accepts` says."""
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
                sure = prescribed or _sureness(before, after) in accepts
                if told and sure and not _FORBIDS.search(before):
                    return True
                at = text.find(marker, at + len(marker))
    return False


def _sureness(before: str, after: str) -> str:
    """format: the words right before the mark say to use it; subject: they say what to do with such marks, or that a text is about them;
    loose: neither."""
    before = _MARK.sub("", before)
    borders = [match.end() for match in _CLAUSE.finditer(before)]
    clause = before[borders[-1] - before[borders[-1] - 1].isalpha() :] if borders else before
    told = [match.span() for match in _TELLS.finditer(clause)]
    verb = max((start for start, end in told if not _INTO.search(clause[:end])), default=-1)
    handled = max((match.start() for match in _HANDLES.finditer(clause)), default=-1)
    behind = _CLAUSE.split(after[:_AFTER], maxsplit=1)[0]
    if handled > verb or _HANDLES.search(behind) or _CONCERNS.search(clause):
        return "subject"
    near = bool(told) and len(clause) - told[-1][1] <= _NEAR
    return "format" if near or not clause.strip() or _INTO.search(before) or not behind.isascii() else "loose"


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
