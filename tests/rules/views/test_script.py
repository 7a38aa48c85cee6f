"""Script and language of a text, and the text without accents."""

import pytest

from pipelines.rules.views.script import fold, language_of, script_of


@pytest.mark.parametrize(
    ("text", "script", "language"),
    [
        ("The cat is on the roof and it will not come down.", "latin", "en"),
        ("Die Katze ist auf dem Dach und kommt nicht herunter.", "latin", "de"),
        ("Le chat est sur le toit et ne veut pas descendre.", "latin", "fr"),
        ("El gato está en el tejado y no quiere bajar.", "latin", "es"),
        ("O gato está no telhado e não quer descer com você.", "latin", "pt"),
        ("Il gatto è sul tetto e non vuole scendere, ma può.", "latin", "it"),
        ("De kat zit op het dak en wil niet naar beneden.", "latin", "nl"),
        ("Con mèo ở trên mái nhà và không xuống được.", "latin", "vi"),
        ("Кошка сидит на крыше.", "cyrillic", "ru"),
        ("القطة على السطح.", "arabic", "ar"),
        ("बिल्ली छत पर है।", "devanagari", "hi"),
        ("고양이가 지붕 위에 있어요.", "hangul", "ko"),
        ("猫は屋根の上にいます。", "cjk", "ja"),
        ("猫在屋顶上，不肯下来。", "cjk", "zh"),
        ("Sofa", "latin", None),  # one word says too little
        ("12 + 30 = 42", None, None),
        ("", None, None),
    ],
)
def test_script_and_language(text: str, script: str | None, language: str | None) -> None:
    assert (script_of(text), language_of(text)) == (script, language)


@pytest.mark.parametrize(
    ("text", "folded"),
    [("Déjà vu, naïve", "Deja vu, naive"), ("để tôi", "de toi"), ("l’été", "l'ete"), ("ё й", "ё й"), ("東京", "東京")],
)
def test_only_latin_accents_go(text: str, folded: str) -> None:
    assert fold(text) == folded
    assert len(fold(text)) == len(text)
