"""Whether a paragraph reads like somebody thinking to themselves and not like an answer to the user."""

import re2

_CUES = re2.compile(
    r"(?i)\b(the user|user (?:asks|wants|said)|i should|i need to|i(?:'ll| will) (?:answer|keep|mention|say|go with|write|add)|let me|"
    r"hmm+|wait,|okay,? so|did i|should i|i think|i listed|i could|i'd (?:say|go|keep|put)|maybe i|they (?:asked|want|said)|we need to|"
    r"der nutzer|die frage ist|ich sollte|ich muss|moment,|l'utilisateur|je dois|je devrais|attends|el usuario|debo |tengo que|espera,|"
    r"o usuário|preciso|devo |l'utente|dovrei|devo rispondere|de gebruiker|ik moet)\b"
    r"|用户|我需要|我应该|首先要|等等|让我|ユーザー|べきだ|としよう|だろうか"
    r"|사용자|해야 한다|하자\.|пользовател|мне нужно|нужно ответить|المستخدم|يجب أن|उपयोगकर्ता|मुझे"
)


def reads_like_thoughts(paragraph: str) -> bool:
    """Whether `paragraph` (its first 1,500 characters) talks about the user or about what to write next."""
    return _CUES.search(paragraph[:1500]) is not None
