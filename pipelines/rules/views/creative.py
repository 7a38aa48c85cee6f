"""Whether a request asks for fiction: a story, a monologue, a role to play, a text in somebody's voice."""

import re2

_FICTION = re2.compile(
    r"(?i)\b(monologue|soliloquy|short story|stories?|poem|lyrics|screenplay|scene|dialogue|diary|role-?play|stream of consciousness|"
    r"in the voice of|as if you were|character|novel|fiction|inner thoughts?|"
    r"monolog|geschichte|gedicht|tagebuch|szene|erzählung|histoire|poème|journal intime|scène|nouvelle|"
    r"monólogo|cuento|historia|poema|diario|escena|relato|conto|história|cena|diário|racconto|storia|poesia|monologo|scena)\b"
    r"|монолог|рассказ|стих|дневник|сцен[аую]|диалог|独白|故事|小说|日记|诗|剧本|物語|小説|独り言|日記|詩|독백|이야기|소설|일기|시를"
    r"|قصة|مونولوج|يوميات|قصيدة|مشهد|कहानी|एकालाप|कविता|डायरी"
)


def asks_for_fiction(text: str) -> bool:
    """Whether `text` (the last user message) asks for fiction, in one of twelve languages."""
    return _FICTION.search(text[:4000]) is not None
