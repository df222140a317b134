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
verify-no-passage = er is geen passage gevonden
verify-input-empty = De standaardinvoer is leeg.
    .fix = Geef een tekst door, of noem een bestand.
verify-standard-input = standaardinvoer
verify-not-judged = { $number } van { $total } beweringen zijn niet beoordeeld; het oordeel van de regels blijft staan.
verify-judge-is-no-model = { $model } is geen taalmodel dat kan oordelen.
    .fix = Noem er een, zoals ollama/llama3.1, of none.
    .request = Gebruik configured of none.
verify-changed = Het bestand veranderde terwijl het werd gecontroleerd.
    .fix = Controleer het opnieuw.
verify-two-formats = --json en --format { $format } zijn allebei gegeven.
    .fix = Geef een van beide.
verify-not-word = { $name } is geen Word-bestand en kan dus geen opmerkingen krijgen.
    .fix = --format docx neemt een .docx-, .docm-, .dotx- of .dotm-bestand. Gebruik voor andere bestanden text, json of sarif.
verify-output-missing = Een kopie met opmerkingen heeft een bestand nodig.
    .fix = Geef --output PAD.
verify-output-suffix = { $name } is geen naam voor een verslag in de vorm { $format }.
    .fix = Geef de kopie van een Word-bestand de extensie van dat bestand, en een ander verslag niet zo'n extensie.
verify-output-is-file = Het verslag zou het gecontroleerde bestand vervangen.
    .fix = Kies een andere --output.
verify-judge-of-server = Een server oordeelt met zijn eigen model, of niet.
    .fix = Geef --judge none, of laat het weg.
verify-format-of-server = Een server stuurt het verslag als tekst of JSON.
    .fix = Laat --output weg, en --format ook behalve text en json; of voer het uit waar het project staat.
verify-wrote = { $path } is geschreven
verify-commented = { $path } is geschreven met { $number ->
    [one] één opmerking
   *[other] { $number } opmerkingen
}
verify-unplaced = { $number ->
    [one] Eén bewering staat in een kop- of voettekst, of is niet teruggevonden in het bestand
   *[other] { $number } beweringen staan in kop- of voetteksten, of zijn niet teruggevonden in het bestand
}, en kregen geen opmerking; --format text noemt alles.
