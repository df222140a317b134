generate-sections-kept = Voltooide paragrafen blijven bewaard: voer de opdracht opnieuw uit om verder te gaan.
generate-section-not-cached = Deze paragraaf wordt de volgende keer opnieuw geschreven, want hij kon niet worden bewaard: { $cause }
generate-not-registered = Het concept is geschreven maar niet geregistreerd, en kan dus niet worden geaccepteerd of opgeleverd: { $cause }
generate-nothing-near = Niets in de bronnen komt in de buurt van wat is gevraagd.
generate-nearest-only = Geen kop of label in de bronnen noemt wat gevraagd wordt. De passages die het dichtst in de buurt komen:
generate-nothing-named = Geen kop of label in de bronnen noemt wat is gevraagd.
generate-no-sentence = De gevonden passages onderbouwen geen enkele zin.
generate-found-nothing = Het model vond er niets over in de gevonden passages.
generate-reasons = { $reasons }
generate-beside = Wat de bronnen zeggen dat in de buurt komt, gaat over iets anders.
generate-steps-moved = { $number } stappen zijn in de volgorde van hun bron gezet.
generate-overruled = Een zin steunt op een passage die niet geldt: { $sentence }
generate-notice = { $section }: { $notice }
generate-output-missing = --output ontbreekt.
    .fix = Noem het bestand om te schrijven: --output a.md.
generate-kept-edited = Het bewerkte concept is bewaard als { $name }
generate-not-written = { $path } is niet geschreven.

generate-budget-warning = ⚠ Waarschuwing: tokenbudget
generate-budget-brief = projectbeschrijving:
generate-budget-spec = specificatie:
generate-budget-summaries = samenvattingen:
generate-budget-chunks = passages:
generate-budget-total = Totaal:
generate-budget-consider = Overweeg: minder samenvattingen, een kortere projectbeschrijving, of een groter generation.model
generate-number = { $number }
generate-tokens = tokens
generate-tokens-of = tokens (max_source_summaries={ $summaries })
generate-limit = / limiet { $limit } ({ $share })
generate-no-window = geen venster
generate-budget = Budget: projectbeschrijving { $brief }, specificatie { $spec }, samenvattingen { $summaries }, passages { $chunks }: { $total } tokens.
generate-budget-of = Budget: projectbeschrijving { $brief }, specificatie { $spec }, samenvattingen { $summaries }, passages { $chunks }: { $total } van { $window } tokens.

generate-dry-run = Proefuitvoering: { $name }
generate-topic = Onderwerp: { $topic }
generate-asks-for = vraagt om: { $text }
generate-gate = Poort: { $decision ->
    [answer] antwoord
    [low_confidence] weinig zekerheid
    [no_evidence] geen bewijs
   *[other] { $decision }
} (score: { NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) }) { $reasons }
generate-no-evidence = Geen bewijs: { $reason }
generate-out = weggelaten { $place }: { $reason }
generate-note = Let op: { $notice }
generate-hit-scored = { $place } (score: { NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) }, beoordeeld met { $points } van 10)
generate-prompt = Prompt van { $section } ({ $tokens } tokens)

generate-wrote = Geschreven: { $path }
generate-summary = { $sections ->
    [one] { $sections } paragraaf
   *[other] { $sections } paragrafen
} uit { $sources ->
    [one] { $sources } bron
   *[other] { $sources } bronnen
}, door { $model }, in { NUMBER($seconds, minimumFractionDigits: 1, maximumFractionDigits: 1) } s; dekking { $coverage }, volledigheid { $completeness }.
generate-reused = { $number ->
    [one] { $number } paragraaf
   *[other] { $number } paragrafen
} overgenomen uit de vorige keer (--fresh schrijft alles opnieuw).
generate-columns = PARAGRAAF|DEKKING|ZINNEN|BRONNEN|CONFLICTEN|WEGGELATEN
generate-empty = leeg: { $reason }
generate-low = WEINIG ZEKERHEID
generate-none = geen
generate-left-out = Niet als bewijs gebruikt:
generate-more = en nog { $number } (--json toont alles)
generate-cost = Kosten: { $calls ->
    [one] { $calls } modelaanroep
   *[other] { $calls } modelaanroepen
}{ $cached }, { $tokens ->
    [one] { $tokens } token
   *[other] { $tokens } tokens
}, { $cost }.
generate-cached = {" "}(nog { $number } uit de cache)
generate-price = $ { NUMBER($cost, minimumFractionDigits: 4, maximumFractionDigits: 4) }
generate-price-unknown = prijs onbekend
generate-source-gone = { $path } wordt aangehaald, maar het bestand is weg sinds het is ingelezen.
generate-other-documents = Dit concept gaat over { $names }: { $number ->
    [one] één document over een ander van dezelfde soort is niet gelezen.
   *[other] { $number } documenten over andere van dezelfde soort zijn niet gelezen.
}
generate-topic-unknown = De bronnen gaan niet over het onderwerp “{ $topic }”.
generate-topic-doubtful = De bronnen gaan misschien niet over “{ $topic }”: { $reasons }
generate-beside-topic = { $number ->
    [one] Eén document dat niet over “{ $topic }” gaat, is niet gelezen.
   *[other] { $number } documenten die niet over “{ $topic }” gaan, zijn niet gelezen.
}
