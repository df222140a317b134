correction-added = Verbeterd: { $change }
correction-removed = Ongedaan gemaakt: { $change }
correction-none-yet = Geen verbeteringen. Verbeter wat verkeerd gelezen is met `foundry correction add`.
correction-no-blocks = Geen enkel blok van deze bron past daarbij.
correction-words = “{ $after }”, gelezen als “{ $before }”
correction-heading = “{ $words }”: { $before } wordt { $after }
correction-heading-text = tekst
correction-heading-level = kop van niveau { $level }
correction-header = { $after ->
        [one] { $after } kopregel
       *[other] { $after } kopregels
    } van een tabel, gelezen als { $before }
correction-is-applied = toegepast
correction-not-applied = niet toegepast: { $reason }
correction-by-on = door { $author }, { $day }
correction-of-block = blok { $block }
correction-why = Reden: { $reason }

# Why one is not applied.
correction-block-gone = het blok is verdwenen: het bestand wordt nu anders gelezen
correction-block-several = dezelfde tekst staat nu in meerdere blokken
correction-twice = een andere verbetering ({ $id }) verandert dezelfde woorden, kop of tabel
    .fix = Maak die eerst ongedaan: `foundry correction remove { $id }`.
correction-file-changed = { $path } is sindsdien veranderd; verbeter de nieuwe tekst als die nog fout is
correction-source-gone = { $path } is niet meer bij de bronnen
correction-undone = de verbetering is ongedaan gemaakt
correction-pending = nog niet toegepast op { $path }: maak een verbetering ervan of maak er een ongedaan, of neem het opnieuw op
correction-left-out = { $n ->
        [one] { $n } verbetering geldt niet meer
       *[other] { $n } verbeteringen gelden niet meer
    }: zie `foundry correction list`

correction-not-text = Een blok van de soort { $kind } kan geen kop zijn.
    .fix = Kies een kop, alinea of lijstitem; `foundry correction blocks` toont ze.
correction-heading-long = Deze woorden zijn te lang voor een kop: { $n } tekens, hoogstens { $limit }.
    .fix = Geef alleen de woorden van de kop.
correction-not-table = Dit blok is geen tabel maar van de soort { $kind }.
    .fix = `foundry correction blocks` toont welke blokken tabellen zijn.
correction-table-continued = Dit blok is het vervolg van een tabel die in een eerder blok begint.
    .fix = Verbeter de kop in het blok waarin de tabel begint.
correction-header-rows = Het eerste blok van de tabel heeft { $n ->
        [one] { $n } rij
       *[other] { $n } rijen
    }: hoogstens { $most } kunnen de kolommen benoemen.
    .fix = Geef een kleiner getal; 0 als geen rij de kolommen benoemt.
correction-no-values = In de tabel zou geen waarde overblijven.
    .fix = Geef een ander aantal kopregels.
correction-unknown = Dit project heeft geen verbetering '{ $id }'.
    .fix = `foundry correction list` toont hun id's.
correction-known = Dit is al verbeterd ({ $id }).
    .fix = Maak het ongedaan met `foundry correction remove` om een andere te maken.
correction-reason-missing = Een verbetering heeft een reden nodig.
    .fix = Zeg met --reason hoe u het weet, zoals "in druk staat 16".
    .request = Zeg in reason hoe u het weet, zoals "in druk staat 16".
correction-reason-long = De reden is langer dan { $limit } tekens.
    .fix = Kort de reden in.
correction-same = Zo was het al gelezen.
    .fix = Geef een andere waarde.
correction-kind = Een verbetering verandert één ding: de woorden, een kop of de kop van een tabel.
    .fix = Geef één van --read, --heading en --header-rows.
    .request = Geef één van read, heading en header_rows.
correction-place-missing = Er zijn geen woorden en geen blok opgegeven.
    .fix = Geef de woorden zoals de bron ze heeft, of het nummer van een blok met --block.
    .request = Geef de woorden zoals de bron ze heeft, of het nummer van een blok als block.
correction-no-block = Blok { $n } bestaat niet: de bron heeft er { $most }.
    .fix = `foundry correction blocks` toont ze.
correction-words-missing = De woorden '{ $words }' staan niet in de bron zoals die gelezen is.
    .fix = Neem ze over uit `foundry correction blocks`: hoofdletters tellen.
correction-words-several = '{ $words }' staat in meerdere blokken: { $blocks }.
    .fix = Kies er een met --block, of geef meer woorden.
    .request = Kies er een als block, of geef meer woorden.
correction-words-twice = '{ $words }' staat { $n } keer in blok { $blocks }.
    .fix = Geef meer woorden eromheen.
correction-read-missing = De verbeterde woorden ontbreken.
    .fix = Geef ze met --read.
    .request = Geef ze als read.
correction-cells = Woorden van een tabel moeten in één cel blijven.
    .fix = Verbeter elke cel apart, zonder "|".
correction-level = '{ $level }' is geen niveau.
    .fix = Geef 1 tot 6, of "text" voor wat geen kop is.
correction-table = tabel, { $n ->
        [one] { $n } kopregel
       *[other] { $n } kopregels
    }
