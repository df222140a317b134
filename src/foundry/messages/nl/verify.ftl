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
verify-value-nowhere = '{ $value }' staat in geen enkele bron
verify-no-passage = er is geen passage gevonden
verify-input-empty = De standaardinvoer is leeg.
    .fix = Geef een tekst door, of noem een bestand.
verify-standard-input = standaardinvoer
verify-not-judged = { $number } van { $total } beweringen zijn niet beoordeeld; het oordeel van de regels blijft staan.
verify-judge-is-no-model = { $model } is geen taalmodel dat kan oordelen.
    .fix = Noem er een, zoals ollama/llama3.1, of none.
    .request = Gebruik configured of none.
