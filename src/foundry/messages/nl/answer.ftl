answer-head = Antwoord:
answer-head-low-confidence = Antwoord (WEINIG ZEKERHEID — beperkte brondekking):
answer-head-passages = De passages die het dichtst in de buurt komen:
answer-passage-same = Hetzelfde in: { $sources }
answer-no-evidence = Geen onderbouwing gevonden in de geïndexeerde bronnen.
answer-add-about-that = Voeg een document daarover toe aan de bronnen en voer daarna `foundry ingest` uit.
answer-add-an-answer = Voeg een document met het antwoord toe aan de bronnen en voer daarna `foundry ingest` uit.

answer-sources = Bronnen:
answer-source = { $place } (score: { NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) })
answer-source-noted = { $source } – { $notices }
answer-corrected-words = verbeterd: “{ $after }”, gelezen als “{ $before }”
answer-corrected-heading = verbeterd: welke woorden een kop zijn
answer-corrected-text = verbeterd: welke woorden geen kop zijn
answer-corrected-dropped = verbeterd: zonder “{ $before }”
answer-corrected-table = verbeterd: { $kind ->
        [header] welke rijen de kolommen benoemen
        [columns] welke kolommen de rijen benoemen
        [span] welke cellen samengevoegd zijn
        [split] waar een tabel eindigt
       *[merge] welke tabellen er één zijn
    }
answer-ocr-unsure = door OCR gelezen met een zekerheid van { NUMBER($confidence, style: "percent") }
answer-ocr-doubt = OCR las “{ $read }” of “{ $other }”
answer-outside = elders gelezen, door { $reader }
answer-outside-unchecked = niets hier kon de woorden controleren
answer-outside-unsure = OCR hier las { NUMBER($share, style: "percent") } van deze woorden
answer-outside-doubt = elders gelezen als “{ $read }”, en door OCR hier als “{ $other }”
answer-outside-alone = OCR hier las “{ $read }” niet
answer-why-low-confidence = Waarom weinig zekerheid: { $reasons }
answer-passages = De passages die het dichtst in de buurt komen
answer-passages-what = Dit is geen antwoord, maar wat de bronnen zeggen. De regel die het dichtst bij de vraag komt, is gemarkeerd.
answer-asked = Beantwoord op { $time } voor de rol { $role }, uit al haar bronnen.
answer-asked-filtered = Beantwoord op { $time } voor de rol { $role }, alleen uit bronnen met: { $filters }.
answer-source-changed = Gewijzigd sinds dit antwoord: { $sources }.
answer-source-gone = Niet meer in het project: { $sources }.
answer-not-verified = niet bevestigd
answer-changes = Aangepast bij de controle:
answer-change-reattributed = verwijzing gecorrigeerd
answer-change-recited = verwijzing vervallen
answer-change-regenerated = herschreven
answer-change-removed = verwijderd

answer-hit = { $place } (score: { NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) }; { $ranks })
answer-hit-unrated = { $place } (score: –, nog geen vector; { $ranks })
answer-no-hits = Geen treffers.
answer-gate = Poort: { $decision ->
    [answer] antwoord
    [low_confidence] weinig zekerheid
    [no_evidence] geen bewijs
   *[other] { $decision }
} (score: { NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) }, min_score: { NUMBER($threshold, minimumFractionDigits: 2, maximumFractionDigits: 2) })
answer-hyde = HyDE zocht met: { $text }
answer-would-read = { $number ->
    [one] Eén passage zou worden gelezen:
   *[other] { $number } passages zouden worden gelezen:
}
answer-hit-rank = { $rank ->
    [0] door HyDE gevonden
   *[other] treffer { $rank }
}
