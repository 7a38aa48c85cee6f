"""Whether the user asks about tags, tokens, templates or raw output, so that markers may stand in the answer as its subject."""

import re2

_WORDS = re2.compile(
    r"(?i)\b(tags?|markers?|(?:special |control |stop |chat )?tokens?|delimiters?|parsers?|chat ?ml|(?:chat "
    r"|prompt )?templates?|raw (?:output|text|completion)|"
    r"boundary|markup|(?:raw|unparsed) \w+ output|harmony|dsml|(?:message|prompt|chat|wire|output) formats?|"
    r"think(?:ing)? (?:block|section)s?|reasoning (?:block|format|section|tag)s?|balises?"
    r"|marqueurs?|etiquetas?|marcas?|marken|"
    r"sondertoken|tokeni|znaczni\w*|etiket\w*|thẻ|penanda)\b|标签|标记|标籤|特殊符号|模板|タグ|トークン|マーカー|태그|토큰|тег|токен|шаблон|وسم|رمز|टैग|टोकन|चिह्न"
    r"|<\|\w|</?think|\[/?THINK|◁"
)


def asks_about_markup(text: str) -> bool:
    """Whether `text` (the last user message) names tags, tokens or templates, in one of many languages, or writes one."""
    return _WORDS.search(text[:4000]) is not None
