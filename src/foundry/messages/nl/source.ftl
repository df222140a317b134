source-none-yet = Er zijn nog geen bronnen. Zet bestanden in sources/ en voer `foundry ingest` uit.
source-not-read = Niet gelezen:
source-status-failed = mislukt
source-status-left_out = overgeslagen
source-attached-to = Bijlage van { $path }
source-attachments = Bijlagen: { $paths }
source-tags = ; tags: { $tags }
source-revision = Revisie: { $revision }
source-date = Datum: { $date }
source-names = Namen:
source-name-aliases = , of { $aliases }
source-name-organisation = organisatie
source-name-product = product
source-name-identifier = type- of documentnummer
source-name-term = gedefinieerd begrip
source-name-abbreviation = afgekort
source-summary = Samenvatting:
source-sections = Paragrafen:
source-page = p. { $page }
source-no-tables = Deze bron heeft geen tabellen.
source-table-untitled = Tabel zonder titel
source-table-uncertain = De opbouw van deze tabel is onzeker; er kunnen labels ontbreken.
source-files-kept = De bestanden blijven staan; de volgende `foundry ingest` van hun map leest ze weer.
source-unknown = Dit project heeft geen bron '{ $name }'.
    .fix = Voer `foundry sources list` uit voor alle paden.
source-did-you-mean = Bedoelde u { $paths }?
source-filter-dates-reversed = from={ $from } is later dan to={ $to }.
    .fix = Verwissel de datums.
source-filter-invalid = Ongeldig filter: '{ $text }'.
    .fix = Schrijf SLEUTEL=WAARDE; de sleutels zijn { $keys }.
source-filter-twice = { $key }= is twee keer gegeven.
    .fix = Geef één datum.
source-filter-date = Ongeldige datum: '{ $text }'.
    .fix = Schrijf de datum als 2026-01-31.
source-no-type = geen enkele bron is van het type '{ $value }'; bekend: { $known }.
source-no-tag = geen enkele bron heeft de tag '{ $value }'; bekend: { $known }.
source-none-known = geen
source-file-gone = bestand is weg sinds het is ingelezen
