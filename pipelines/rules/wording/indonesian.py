"""INDONESIAN: thoughts and progress notes in Indonesian."""

from pipelines.rules.wording.wording import Wording, literals

INDONESIAN = Wording(
    language="id",
    script="latin",
    asker=(r"pengguna (?:\S+ )?(?:bertanya|menanyakan|ingin|meminta|mau|mengatakan|menulis|membutuhkan|menyebut)",),
    plan=(
        r"\b(?:saya|aku) (?:harus|perlu|sebaiknya|akan)(?: \S+)? (?:menjawab|jawab|menyebutkan|"
        r"menjelaskan|memberi|menghindari)",
        r"^jawab(?:annya)? (?:singkat|dalam bahasa|harus)",
    ),
    task=(),
    talk=(r"(?:hm+|tunggu|oke|baiklah|nah|tapi tunggu)[,.:!…]",),
    check=(r"\b(?:saya kira|sepertinya|kalau tidak salah|periksa lagi)\b",),
    progress=(
        r"(?:baik, |oke, |tentu, |sebentar[,.] |mohon tunggu[,.] )*(?:biar(?:kan)? )?saya (?:akan |sedang |"
        r"coba |perlu |ingin )*(?:memeriksa|periksa|cek|mengecek|mencari|cari|melihat dulu|lihat dulu|membuka|"
        r"membaca|menelusuri)\b",
        r"(?:sedang|sebentar, saya) (?:memeriksa|mencari|mengecek|membuka)\b|(?:mohon tunggu|tunggu sebentar|sebentar ya)\b",
    ),
    report=(r"(?:saya (?:sudah|telah) )(?:menemukan|memeriksa|mengecek|melihat)\b|(?:ditemukan|sudah ketemu)\b",),
    work=(r"^saya (?:sudah|telah|baru saja) (?:memeriksa|mengecek|mencari|melihat)\b",),
    openings=literals(
        "pengguna |^saya akan me|^saya akan c|^saya periksa|^saya cek|^saya sedang|^saya sudah|^saya coba|"
        "^biar saya|^biarkan saya|"
        "^sebentar|^mohon tunggu|^tunggu|^sedang |^baik, saya|^oke, saya|^tentu, saya|saya harus |saya perlu |sebaiknya "
    ),
    asides=literals("Pengguna |pengguna |Tunggu, "),
)
