"""TURKISH: thoughts and progress notes in Turkish."""

from pipelines.rules.wording.wording import Wording, literals

TURKISH = Wording(
    language="tr",
    script="latin",
    asker=(
        r"kullanıcı\S*(?: \S+){0,7} (?:soruyor|sordu|istiyor|istedi|bekliyor|yazmış|yazdı|diyor|dedi|belirtti|merak ediyor)",
    ),
    plan=(
        r"\b(?:belirt|açıkla|kaçın|söyle|ekle|yaz|yanıtla|cevapla|anlat)\S*(?:meliyim|malıyım|mem gerek|mam gerek)",
        r"\b(?:yanıt|cevap)(?: \S+){0,3} (?:vermeliyim|vermem gerek|vereceğim|vereyim|olmalı)",
    ),
    task=(),
    talk=(r"(?:hm+|tamam|peki|dur|bekle|bir dakika|şey|yani)[,.:!…]",),
    check=(r"\b(?:sanırım|galiba|emin değilim|tekrar kontrol)",),
    progress=(
        r"(?:\S+ ){0,7}(?:kontrol (?:ediyorum|edeyim|edeceğim)|bakıyorum|bakayım|bakacağım|arıyorum|arayayım|"
        r"arayacağım|inceliyorum|inceleyeyim|açıyorum|sorguluyorum|tarıyorum)[.…!]?$",
        r"(?:bir (?:dakika|saniye)|lütfen bekleyin|hemen bakıyorum)\b",
    ),
    report=(r"(?:\S+ ){0,5}(?:buldum|bulundu|kontrol ettim|inceledim|baktım)[.!]?$",),
    work=(r"(?:kontrol ettim|inceledim|baktım|aradım)[.!]?$",),
    openings=literals(
        "kullanıcı|^bir dakika|^bir saniye|^lütfen bek|kontrol edi|kontrol ede|kontrol ett|bakıyorum|bakayım|"
        "bakacağım|arıyorum|"
        "arayayım|inceliyorum|inceleyeyim|meliyim|malıyım|^peki, |^tamam, |^dur, |^bekle"
    ),
    asides=literals("Kullanıcı |kullanıcı |Dur, |Bekle, "),
)
