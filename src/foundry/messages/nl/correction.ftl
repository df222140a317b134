correction-added = Verbeterd: { $change }
correction-dry-run = Wordt dan verbeterd: { $change }
correction-cited-by = Geciteerd door “{ $title }”: { $sentence }
correction-removed = Ongedaan gemaakt: { $change }
correction-none-yet = Geen verbeteringen. Verbeter wat verkeerd gelezen is met `foundry correction add`.
correction-no-blocks = Geen enkel blok van deze bron past daarbij.
correction-words = “{ $after }”, gelezen als “{ $before }”
correction-heading = “{ $words }”: { $before } wordt { $after }
correction-heading-text = tekst
correction-heading-level = kop van niveau { $level }
correction-row-dropped = rij “{ $before }” is weggelaten
correction-table-shape = { $kind ->
        [header] kopregels van een tabel: { $after }, gelezen als { $before }
        [columns] kopkolommen van een tabel: { $after }, gelezen als { $before }
        [span] samengevoegde cellen van een tabel: { $after }
        [split] bij rij { $after } begint een andere tabel
       *[merge] de volgende tabel, “{ $after }”, hoort bij deze
    }
correction-grids = Toon één tabel als raster, met de nummers van rijen en kolommen: --block NUMBER
correction-is-applied = toegepast
correction-not-applied = niet toegepast: { $reason }
correction-by-on = door { $author }, { $day }
correction-of-block = blok { $block }
correction-why = Reden: { $reason }

# Why one is not applied.
correction-block-gone = het blok is verdwenen: het bestand wordt nu anders gelezen
correction-block-several = dezelfde tekst staat nu in meerdere blokken
correction-twice = een andere verbetering ({ $id }) verandert dit al
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
correction-header-rows = Het blok heeft { $n ->
        [one] { $n } rij
       *[other] { $n } rijen
    } van de tabel: hoogstens { $most } kunnen de kolommen benoemen.
    .fix = Geef een kleiner getal; 0 als geen rij de kolommen benoemt.
correction-outside = De tabel van dit blok gaat van A1 tot en met { $last }.
    .fix = `foundry correction blocks` met --block toont de rijen en kolommen.
correction-span-overlap = Eén cel zit in twee van de samengevoegde cellen.
    .fix = Geef cellen die elkaar niet overlappen.
correction-span-words = De woorden van samengevoegde cellen moeten in één rij staan.
    .fix = Zet ze eerst in één rij, met --row en --read.
    .request = Zet ze eerst in één rij, met row en read.
correction-no-rows = Van het blok zou geen rij overblijven.
    .fix = Laat minstens één rij staan.
correction-no-next-table = Na deze tabel komt geen andere.
    .fix = Geef het blok van de eerste van de twee tabellen.
correction-cells-wrong = '{ $cells }' noemt geen rijen of cellen.
    .fix = Geef rijen als 3 of 3-5, cellen als B3, samengevoegde cellen als B1:D1.
correction-no-values = In de tabel zou geen waarde overblijven.
    .fix = Geef andere kopregels of kopkolommen.
correction-unknown = Dit project heeft geen verbetering '{ $id }'.
    .fix = `foundry correction list` toont hun id's.
correction-known = Dit is al verbeterd ({ $id }).
    .fix = Maak het ongedaan met `foundry correction remove` om een andere te maken.
correction-meanwhile = { $author } heeft dit blok intussen gecorrigeerd.
    .fix = Bekijk hoe het nu luidt, en sla uw correctie opnieuw op als die nog nodig is.
correction-undone-meanwhile = Een correctie van dit blok is intussen ongedaan gemaakt.
    .fix = Bekijk hoe het nu luidt, en sla uw correctie opnieuw op als die nog nodig is.
correction-reason-missing = Een verbetering heeft een reden nodig.
    .fix = Zeg met --reason hoe u het weet, zoals "in druk staat 16".
    .request = Zeg in reason hoe u het weet, zoals "in druk staat 16".
correction-reason-long = De reden is langer dan { $limit } tekens.
    .fix = Kort de reden in.
correction-same = Zo was het al gelezen.
    .fix = Geef een andere waarde.
correction-kind = Een verbetering verandert één ding: woorden, een kop, of rijen, kolommen of cellen van een tabel.
    .fix = Geef één van --read, --drop, --heading, --header-rows, --header-columns, --span, --split en --merge.
    .request = Geef één van read, drop, heading, header_rows, header_columns, span, split en merge.
correction-place-missing = Er is niet gezegd wat er verbeterd moet worden.
    .fix = Geef de woorden zoals de bron ze heeft, of een blok met --block, en een rij van een tabel met --row.
    .request = Geef de woorden zoals de bron ze heeft, of block, en row voor een rij van een tabel.
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
