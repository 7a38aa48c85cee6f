"""POLISH: thoughts and progress notes in Polish."""

from pipelines.rules.wording.wording import Wording, literals

POLISH = Wording(
    language="pl",
    script="latin",
    asker=(
        r"użytkowni(?:k|czka) (?:\S+ )?(?:pyta|zapyta|chce|chcia|prosi|poprosi|pisze|napisa|potrzebuje|szuka|"
        r"mówi|powiedzia|poda|oczekuje)",
    ),
    plan=(
        r"\b(?:powinienem|powinnam|muszę|trzeba|należy) (?:\S+ ){0,2}(?:odpowiedzieć|wspomnieć|"
        r"podać|wyjaśnić|unikać|napisać|dodać|zaznaczyć)",
        r"^(?:odpowiem|odpowiadam)\b|^odpowiedź (?:krótka|ma być|powinna)",
    ),
    task=(),
    talk=(r"(?:hm+|chwila|zaraz|czekaj|dobrze|okej|więc|no dobra|moment)[,.:!…]",),
    check=(r"\b(?:chyba|wydaje mi się|nie jestem pewien|sprawdźmy|zgadza się)",),
    progress=(
        r"(?:dobrze, |jasne, |oczywiście, |chwileczkę[,.] |moment[,.] |najpierw |już |zaraz |"
        r"teraz )*(?:sprawdzę|sprawdzam|zajrzę|zaglądam|poszukam|szukam|przejrzę|przeglądam|otwieram|"
        r"wyszukuję|wyszukam|pobieram|zweryfikuję)\b",
        r"(?:pozwól|proszę pozwolić)(?: \S+)? (?:sprawdzić|zajrzeć|poszukać)|(?:chwileczkę|sekundę|moment)[,.…]",
    ),
    report=(
        r"(?:już )?(?:znalaz|sprawdzi|przejrza)łam\b|(?:znalazłem|sprawdziłem|przejrzałem|znaleziono|znalazłam|gotowe)\b",
    ),
    work=(r"^(?:już )?(?:sprawdził|przejrzał|znalazł|zajrzał)[ae]m\b",),
    openings=literals(
        "użytkowni|^sprawdz|^zajrz|^zagląd|^chwil|^szukam|^poszukam|^przegląd|^przejrz|^wyszuk|^pobieram|"
        "^otwieram|^odpowiem|"
        "powinienem|powinnam|muszę |^najpierw |^pozwól|^zaraz|^teraz s|^już s|^moment|znalazłem|znalazłam|^hm|odpowiem "
    ),
    asides=literals("Użytkownik |użytkownik |Chwila, |Zaraz, |Czekaj, "),
)
