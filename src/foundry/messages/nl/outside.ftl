outside-read = { $reader }, een dienst buiten Foundry, las { $pages }; controleer de woorden op fouten.
outside-failed = { $reader } las { $pages } niet: { $cause } Wat hier gelezen is blijft, en de volgende ingest probeert het opnieuw.
    .fix = Controleer ingest.outside en de dienst: `foundry doctor`.
outside-late = De tijd was op.
    .fix = Verhoog ingest.parse_timeout_s.
outside-unknown = { $number ->
        [one] Eén woord
       *[other] { $number } woorden
    } van { $reader }, zoals “{ $word }”, { $number ->
        [one] staat
       *[other] staan
    } niet in de tekst van { $pages } en { $number ->
        [one] is
       *[other] zijn
    } weggelaten.
outside-doubts = OCR hier las { $number ->
        [one] één getal of teken
       *[other] { $number } getallen en tekens
    } niet die { $reader } las op { $pages }, zoals “{ $word }”. Controleer ze in de scan.
outside-unchecked = Niets hier kon controleren wat gelezen is op { $pages }: hoe zeker het is, is niet bekend.
    .fix = Installeer een OCR-programma (`foundry doctor`) en lees het bestand opnieuw in.
outside-strays = { $number ->
        [one] Eén deel
       *[other] { $number } delen
    } dat { $reader } op een pagina plaatste die niet verstuurd was, { $number ->
        [one] is
       *[other] zijn
    } weggelaten.
outside-page-failed = De dienst kon de pagina niet lezen: { $cause }.
outside-page-large = De pagina is { $size } MB, en ingest.outside.max_mb is { $limit }.
    .fix = Verhoog ingest.outside.max_mb.
outside-refused-size = { $model } neemt geen pagina van deze grootte aan (HTTP 413).
outside-reply-shape = Wat de dienst stuurde is geen antwoord van { $service }.
outside-no-service = Op { $address } antwoordt geen dienst van dit soort.
    .fix = Controleer ingest.outside.kind en ingest.outside.address.
outside-key-in-clear = { $variable } zou onversleuteld naar { $address } gaan; anderen onderweg kunnen meelezen.
    .fix = Gebruik een https-adres, of verwijder { $variable } uit de omgeving.
outside-not-local = mode is offline, maar ingest.outside.address staat niet op deze machine: { $address }.
    .fix = Draai de dienst op deze machine, zet ingest.outside.pages: never, of zet mode: online.
outside-unavailable = { $reader } is niet te bereiken, dus pagina's worden hier gelezen: { $cause } Zodra het antwoordt, laat een ingest ze alsnog lezen.
    .fix = Voer `foundry doctor` uit om het te controleren.
