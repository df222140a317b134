draft-feature-gone = De specificatie { $name } bestaat niet meer.
draft-feature-broken = De specificatie { $problem }
draft-feature-changed = De specificatie { $name } is gewijzigd nadat dit concept werd geschreven.
draft-feature-unapproved = De specificatie { $name } is niet goedgekeurd.
draft-feature-revoked = De specificatie { $name } is niet meer goedgekeurd.
draft-source-removed = De bron { $path } is uit het project verwijderd.
draft-source-changed = De bron { $path } is gewijzigd nadat dit concept werd geschreven{ $revisions }.
draft-source-corrected = De bron { $path } is verbeterd nadat dit concept werd geschreven.
draft-source-changed-on-disk = Het bestand van de bron { $path } is gewijzigd en nog niet opnieuw ingelezen.
draft-revisions = {" "}(revisie { $before }, nu { $now })
draft-unknown = Er is geen concept '{ $name }', en geen concept van een specificatie met die naam.
draft-advice-known = Het project heeft: { $paths }.
draft-advice-write = Schrijf er een: `foundry generate --feature NAAM --topic ONDERWERP --output PAD`.
draft-accepted-already = { $by } heeft { $path } al geaccepteerd, op { $day }.
    .fix = Lees het opnieuw; verder is er niets te doen.
draft-changed-meanwhile = { $path } is gewijzigd terwijl het werd geaccepteerd; er is niets vastgelegd.
    .fix = Beoordeel het opnieuw en herhaal de opdracht.
draft-edited = { $path } is met de hand bewerkt sinds het werd geschreven ({ $since }).
draft-edited-and-accepted = { $path } is met de hand bewerkt sinds het werd geschreven ({ $since }) en is geaccepteerd door { $who }.
draft-file-missing = Het bestand van het concept ontbreekt of kan niet worden gelezen: { $path }.
    .fix = Zet het bestand terug, of genereer het concept opnieuw met dezelfde --output.
    .request = Zet het bestand terug, of schrijf het concept opnieuw met dezelfde output.
draft-stale = { $path } is verouderd: { $reasons }
    .fix = Lees gewijzigde bronnen opnieuw in en voer `foundry generate` nog eens uit. Ontbreekt alleen de goedkeuring, voer dan `foundry feature approve` uit.
draft-not-verified = { $path } is bewerkt en doorstaat de controle niet: { $failures }
    .fix = Los op wat er staat; `foundry draft verify { $path }` toont alles.
draft-unchecked = { $number ->
    [one] { $number } bewering van { $path } kon niet worden gecontroleerd: { $failures }
   *[other] { $number } beweringen van { $path } konden niet worden gecontroleerd: { $failures }
}
    .fix = Gebruik de woorden van een bron; of accepteer ze zoals ze zijn met --yes: het document zegt dan wie ze heeft geaccepteerd, en dat ze niet zijn gecontroleerd.
    .request = Geef ze de woorden van een bron; of noem ze als unchecked: het document zegt dan wie ze accepteerde, en dat ze niet geverifieerd zijn.
draft-unchecked-list = { $number ->
    [one] Foundry kan niet zeggen of de bronnen deze bewering ondersteunen:
   *[other] Foundry kan niet zeggen of de bronnen deze beweringen ondersteunen:
}
draft-unchecked-by = Geaccepteerd door { $by }, niet gecontroleerd: “{ $statement }”
draft-accept-unchecked = { $number ->
    [one] Accepteren? Het document zegt dan dat u dat deed, en dat de bewering niet is gecontroleerd.
   *[other] Accepteren? Het document zegt dan dat u dat deed, en dat de beweringen niet zijn gecontroleerd.
}
draft-more-failures = En nog { $number }.
draft-on-line = regel { $line }: { $problem }
draft-fault = { $verdict }: { $sentence }
draft-no-statement = Er staat geen enkele bewering in.
draft-not-utf8 = Dit is geen UTF-8-tekst.
    .fix = Sla het bestand op als UTF-8, of genereer het concept opnieuw.
draft-uncited = Een bewering heeft geen voetnoot: “{ $sentence }”.
    .fix = Geef de bewering een voetnoot; { $sources } onderbouwt die.
draft-unknown-source = Voetnoot { $mark } noemt geen bron van dit project.
    .fix = Noem de bron zoals `foundry sources list` die toont.
draft-quote-elsewhere = Voetnoot { $mark } citeert wat { $path } niet zegt; de woorden staan in { $other }: “{ $quote }”.
    .fix = Noem { $other } in de voetnoot.
draft-quote-nowhere = Voetnoot { $mark } citeert wat { $path } niet zegt; geen bron heeft deze woorden: “{ $quote }”.
    .fix = Zet de woorden van de bron terug, of verwijder het citaat en de bewering.
draft-skipped-no-evidence = zegt dat er geen bewijs is
draft-skipped-low-confidence = markeert een paragraaf met weinig zekerheid
draft-skipped-quoted = zegt dat er niets is geschreven
draft-skipped-contradiction = meldt een tegenstrijdigheid tussen bronnen
draft-none = Er zijn nog geen concepten. Schrijf er een met `foundry generate`.
draft-none-of = Er zijn nog geen concepten van { $feature }. Schrijf er een met `foundry generate`.
draft-out-of-date = Verouderd: { $reason }
draft-out-of-date-at = Verouderd: { $path }: { $reason }
draft-state-as-written = ongewijzigd
draft-state-edited = bewerkt
draft-state-missing = ontbreekt
draft-by-on = { $day } door { $by }
draft-by-on-edited = { $day } door { $by }, daarna bewerkt
draft-topic = Onderwerp
draft-feature = Specificatie
draft-no-feature = geen
draft-written = Geschreven
draft-written-by = { $time } door { $model } ({ $mode })
draft-file = Bestand
draft-verdict = Oordeel
draft-verdict-coverage = { $verdict }; dekking { $coverage }; volledigheid { $completeness }
draft-verdict-answer = antwoord
draft-verdict-low-confidence = weinig zekerheid
draft-verdict-passages = citaten
draft-verdict-no-evidence = geen bewijs
draft-accepted = Geaccepteerd
draft-not-yet = nog niet
draft-note = Opmerking
draft-sections = Paragrafen:
draft-sources = Bronnen:
draft-section = { $title }: { $sentences ->
    [one] { $sentences } zin
   *[other] { $sentences } zinnen
}, dekking { $coverage }
draft-section-empty = { $title } is leeg: { $reason }
draft-gap = { $section } behandelt niet: { $items }
draft-gap-in-sources = { $section } behandelt niet, en de bronnen noemen niet: { $items }
draft-conflict = tegenstrijdig: { $first } / { $second }
draft-headings = Paragrafen:
draft-footnotes = Voetnoten:
draft-quotes = Citaten:
draft-next = Wat nu: { $fix }
draft-passes = { $path } ({ $state }) is in orde.
draft-passes-but-stale = { $path } ({ $state }) is in orde, maar verouderd, en kan niet worden geaccepteerd.
draft-fails = { $path } ({ $state }) is niet in orde: { $number ->
    [one] { $number } probleem
   *[other] { $number } problemen
}.
draft-was-accepted = { $path }: geaccepteerd { $who }.
draft-quote-kept = blijft
draft-quote-changed = gewijzigd
draft-quote-lost = verdwenen
draft-impact = Van de aanhalingen uit { $path }: { $changed } gewijzigd, { $lost } verdwenen, { $kept } staan er nog.
draft-impact-unread = Niet bekeken, omdat het bestand niet te lezen is: { $paths }. Zet het terug, of maak het concept opnieuw.
draft-hash-missing = Een wijziging van { $path } moet zeggen wat er gelezen is.
    .fix = Stuur de hash die bij de inhoud kwam als If-Match.
draft-edited-meanwhile = Iemand anders heeft intussen dezelfde regels van { $path } gewijzigd; uw tekst is niet geschreven.
    .fix = Vergelijk beide teksten, en sla de uwe opnieuw op bij de nieuwere.
draft-note-nowhere = { $path } heeft die zin niet.
    .fix = Geef een zin zoals de inhoud van het concept hem heeft.
draft-note-empty = De opmerking bij { $path } is leeg.
    .fix = Schrijf wat u opmerkt.
draft-note-unknown = Er is geen opmerking { $id } bij dit concept.
    .fix = Bekijk de opmerkingen opnieuw; iemand kan hem hebben verwijderd.
draft-note-of-another = De opmerking is van { $by }.
    .fix = Vraag { $by } of de eigenaar om hem te verwijderen.
draft-no-other-run = Er is geen andere tekst van { $path } om mee te vergelijken.
    .fix = Noem een ander concept, of de hash van een tekst die het had.
draft-note-by = { $time }, { $by } ({ $state ->
    [open] open
   *[other] afgehandeld door { $resolved }
}):
draft-note-moved = De zin waarbij hij is gemaakt luidt nu: { $sentence }
draft-note-lost = De zin waarbij hij is gemaakt is weg.
draft-no-notes = Niemand heeft iets opgemerkt bij { $path }.
draft-differs = { $same } gelijk, { $changed } gewijzigd, { $removed } verwijderd, { $added } toegevoegd: { $new } vergeleken met { $old }
draft-changed-since-read = { $path } is gewijzigd sinds het gelezen is; er is niets vastgelegd.
    .fix = Lees het opnieuw en accepteer het dan.
