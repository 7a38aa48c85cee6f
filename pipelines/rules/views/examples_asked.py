"""Whether the user asks how a call is written: an example, a syntax, documentation."""

import re2

_ASKS = re2.compile(
    r"(?i)\b(examples?|syntax|format|notation|documentation|docs|raw (?:\w+ )?(?:output|text|form)|"
    r"(?:show|write|give) (?:me )?what|what does (?:a|the) (?:tool "
    r"|function )?call look|show (?:me )?(?:a|the|how)|"
    r"sample|schema|explain|looks? like|beispiel|sieht|exemple|ressemble|ejemplo|aspecto|exemplo|esempio"
    r"|voorbeeld|örnek|przykład|contoh|ví dụ)\b"
    r"|例|示例|格式|长什么样|怎么写|写法|什么样|書式|書き方|どんな形|예시|형식|어떻게|пример|формат|выглядит|مثال|صيغة|उदाहरण|प्रारूप"
)
_CALLS = re2.compile(
    r"(?i)\braw (?:\w+ )?(?:output|text|form)\b|\b(tool|function|api|json)[ _-]?(?:calls?|calling|format|"
    r"payload|schema)?\b|工具|调用|函数|ツール|호출|вызов|استدعاء"
)


def asks_for_example(text: str) -> bool:
    """Whether `text` (the last user message) asks for an example of a call."""
    head = text[:2000]
    return _ASKS.search(head) is not None and _CALLS.search(head) is not None
