"""Whether a request asks for fiction: a story, a monologue, a diary, a role to play, a text in somebody's voice."""

import re2

_FICTION = re2.compile(
    r"(?i)\b(monologues?|soliloquy|short stor(?:y|ies)|stor(?:y|ies)|poems?|haiku|lyrics|screenplay|scenes?|dialogues?|diary|journal entry|"
    r"role-?play|stream of consciousness|in the voice of|as if you were|characters?|novel|fiction"
    r"|inner thoughts?|bark lines?|npcs?|podcast|"
    r"cold open|voice-?over|stand-?up|monolog(?:e|i|ul)?|geschichte|gedicht|tagebuch\w*|szene|erzählung"
    r"|histoire|poème|journal|carnet|scène|"
    r"monólogo|cuento|historia|poema|diario|escena|relato|conto|história|cena|diário|racconto|storia|poesia|monologo|scena|"
    r"monoloog|verhaal|dagboek\w*|rechercheur|iç konuşma\w*|günlük|opowiadani\w*|wiersz\w*|dziennik\w*|"
    r"cerita|cerpen|puisi|buku harian)\b"
    r"|монолог|рассказ|стих|дневник|сцен[аую]|диалог|独白|内心|故事|小说|日记|诗|剧本|物語|小説|独り言|日記|詩|俳句|독백|이야기|소설|일기|시를"
    r"|시 두"
    r"|hikâye|hikaye|şiir|truyện|[Đđ]ộc thoại|nhật ký|thơ"
    r"|قصة|مونولوج|حوار داخلي|يوميات|قصيدة|مشهد|شعر|कहानी|एकालाप|कविता|डायरी|संवाद"
)


def asks_for_fiction(text: str) -> bool:
    """Whether `text` (the last user message) asks for fiction, in one of eighteen languages."""
    return _FICTION.search(text[:4000]) is not None
