cli-did-you-mean = {" "}Bedoelde u '{ $name }'?
cli-error = Fout: { $text }
    .where = {"  "}Waar:   { $text }
    .fix = {"  "}Wat nu: { $text }
cli-unknown-command = Onbekende opdracht '{ $name }'.{ $hint }
    .fix = Voer `{ $path } --help` uit voor de opdrachten.
cli-no-such-option = Onbekende optie: { $name }.{ $hint }
    .fix = Voer `{ $path } --help` uit voor de opties. Zet -- voor tekst die met een streepje begint.
cli-missing-argument = { $name } ontbreekt.
    .fix = Voer `{ $path } --help` uit om te zien hoe de opdracht werkt.
cli-usage = { $text }
    .fix = Voer `{ $path } --help` uit voor de opties.
cli-extra-arguments = Dit is meer dan de opdracht aanneemt: { $words }
    .fix = Voer `{ $path } --help` uit om te zien hoe de opdracht werkt. Zet tekst met spaties tussen aanhalingstekens.
cli-option-needs-value = Bij { $name } ontbreekt de waarde.
    .fix = Voer `{ $path } --help` uit voor de opties.
cli-option-without-value = Bij { $name } hoort geen waarde.
    .fix = Voer `{ $path } --help` uit voor de opties.
cli-wrong-value = Ongeldige waarde voor { $name }: '{ $value }'.
    .fix = Geef { $expected }.
cli-expected-choice = een van: { $names }
cli-expected-date = een datum, zoals 2026-01-31
cli-expected-file = een leesbaar bestand
cli-expected-minimum = { $kind ->
        [integer] een geheel getal
       *[number] een getal
    } van ten minste { $least }
cli-expected-range = { $kind ->
        [integer] een geheel getal
       *[number] een getal
    } van { $least } tot en met { $most }
cli-interrupted = Onderbroken.
    .fix = Voer dezelfde opdracht opnieuw uit om verder te gaan.
cli-package-missing = Het Python-pakket { $name } is niet geïnstalleerd.
    .fix = Voer `pip install { $name }` uit.
cli-disk-full = De schijf is vol.
    .fix = Maak ruimte vrij en voer dezelfde opdracht opnieuw uit; opgeslagen werk blijft bewaard.
cli-system = Het besturingssysteem meldde: { $cause }.
    .fix = Controleer of het bestand of de map toegankelijk is.
cli-unexpected = Onverwachte fout: { $kind }: { $cause }
    .fix = Voer het opnieuw uit met -vv en meld de traceback.
cli-note = Let op: { $text }
cli-warning = Waarschuwing: { $text }
cli-next = Wat nu: { $text }
cli-price = $ { NUMBER($cost, minimumFractionDigits: 2, maximumFractionDigits: 2) }
cli-price-small = $ { NUMBER($cost, minimumSignificantDigits: 1, maximumSignificantDigits: 1) }
cli-price-unknown = kosten onbekend
cli-verdict = { $verdict ->
    [answer] antwoord
    [low_confidence] weinig zekerheid
    [passages] passages
    [no_evidence] geen bewijs
    [error] fout
   *[other] { $verdict }
}
cli-score = { NUMBER($value, minimumFractionDigits: 2, maximumFractionDigits: 2) }
cli-share = { NUMBER($value, style: "percent", maximumFractionDigits: 0) }
cli-milliseconds = { NUMBER($value, maximumFractionDigits: 0) } ms
cli-seconds = { NUMBER($value, minimumFractionDigits: 1, maximumFractionDigits: 1) } s
cli-input-empty = { $what ->
        [query] De zoekvraag
        [topic] Het onderwerp
       *[question] De vraag
    } is leeg.
    .fix = Geef tekst tussen aanhalingstekens, of geef - en voer de tekst via een pipe in.
cli-input-too-long = { $what ->
        [query] De zoekvraag
        [topic] Het onderwerp
       *[question] De vraag
    } is langer dan { $limit } bytes.
    .fix = Kort de tekst in.
cli-input-not-utf8 = { $what ->
        [query] De zoekvraag
        [topic] Het onderwerp
       *[question] De vraag
    } is geen UTF-8-tekst.
    .fix = Zet de tekst om naar UTF-8.
cli-file-exists = Het bestand bestaat al: { $names }
cli-overwrite = Overschrijven?
cli-confirm = { $question } [j/N]:
cli-yes = j ja y yes
cli-no-command = Er ontbreekt een opdracht.
