page-unknown = Er is geen pagina { $page }; het bestand heeft { $pages } pagina’s.
page-busy = De server was { $seconds } s bezig met andere pagina’s.
    .fix = Probeer het opnieuw.
page-not-placed = De woorden zijn niet op de pagina gevonden.
page-partly-placed = Een deel van de woorden is niet op de pagina gevonden.
page-none = { $path } heeft geen pagina’s die te tonen zijn.
page-file-missing = { $path } staat niet meer in de projectmap.
    .fix = Zet het bestand terug, of voer `foundry ingest` uit om het uit het project te verwijderen.
page-file-changed = { $path } is gewijzigd sinds het is gelezen.
    .fix = Voer `foundry ingest` uit om het opnieuw te lezen.
page-file-packed = { $path } kon niet worden uitgepakt uit het bestand waar het bij hoort.
page-words-gone = De aangehaalde woorden staan niet meer in deze bron.
page-words-several = De aangehaalde woorden komen { $n } keer voor en de omgeving is veranderd.
page-question = { $number ->
    [many] Wat zijn { $subject }?
   *[one] Wat is { $subject }?
}
