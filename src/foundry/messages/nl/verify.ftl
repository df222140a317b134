verify-no-result = De parser gaf geen resultaat.
verify-file-missing = Het bestand kan niet worden gevonden of geopend: { $cause }.
    .fix = Controleer het pad; - leest de standaardinvoer.
verify-is-folder = Dit is een map.
    .fix = Noem één bestand tegelijk.
verify-too-large = Het is te groot: { $size } MB; ingest.max_file_mb staat { $limit } MB toe.
    .fix = Controleer een deel ervan, of verhoog ingest.max_file_mb.
verify-no-sources = Het project heeft geen bronnen: er is niets om mee te vergelijken.
    .fix = Zet bestanden in sources/ en voer `foundry ingest` uit.
verify-only-itself = Er blijft geen bron over om mee te vergelijken: het bestand is de enige.
    .fix = Verruim --filter en --role, of lees de bronnen van de tekst in.
    .request = Verruim de filters, gebruik een token met een hogere rol, of voeg de bronnen van de tekst toe.
verify-none-admitted = Er blijft geen bron over om mee te vergelijken: het filter en de rol laten er geen toe.
    .fix = Verruim --filter en --role, of lees de bronnen van de tekst in.
    .request = Verruim de filters, gebruik een token met een hogere rol, of voeg de bronnen van de tekst toe.
verify-own-source = Het bestand is zelf een bron ({ $paths }), en geldt dus niet als bewijs voor zichzelf.
verify-unknown-citations = { $number ->
    [one] Eén verwijzing noemt geen bron van dit project: { $names }.
   *[other] { $number } verwijzingen noemen geen bron van dit project: { $names }.
}
verify-other-source = { $cited } onderbouwt dit niet, { $found } wel
verify-other-page = de woorden staan op pagina { $found } van de bron, niet op pagina { $cited }
verify-says-other = de zin zegt '{ $said }', de bron zegt '{ $found }'
verify-says-other-cell = de zin zegt '{ $said }', de bron zegt '{ $found }' (rij "{ $row }", kolom "{ $column }")
verify-value-elsewhere = '{ $value }' staat niet in de passages die er het meest op lijken, maar in { $place }
verify-value-nowhere = '{ $value }' komt niet voor in { $sources }
verify-sources-searched = de { $number } bronnen die er het meest op lijken
verify-other-language = geen getal of naam wijkt af, maar de bron is in een andere taal ({ $source }): alleen een lezer of een taalmodel kan de woorden vergelijken
verify-other-meaning = de passage die er het meest op lijkt is in een andere taal ({ $source }) en lijkt er in betekenis niet op
verify-no-passage = er is geen passage gevonden
verify-input-empty = De standaardinvoer is leeg.
    .fix = Geef een tekst door, of noem een bestand.
verify-standard-input = standaardinvoer
