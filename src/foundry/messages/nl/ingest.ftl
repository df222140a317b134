ingest-work-kept = opgeslagen werk blijft bewaard
ingest-others-pending = { $n ->
        [one] { $n } chunk van andere bronnen wacht nog op zijn vector
       *[other] { $n } chunks van andere bronnen wachten nog op vectoren
    }: voer `foundry ingest` uit.
ingest-interrupted = Onderbroken. Bestanden: { $files }. Chunks: { $embedded } met vector, { $pending } nog zonder.
    .fix = Voer dezelfde opdracht opnieuw uit; die gaat verder waar hij was.
ingest-list = { $listed }, { $part }
ingest-none-read = geen gelezen
ingest-count-added = { $n } toegevoegd
ingest-count-updated = { $n } bijgewerkt
ingest-count-removed = { $n } verwijderd
ingest-count-unchanged = { $n } ongewijzigd
ingest-count-failed = { $n } mislukt
ingest-count-waiting = { $n } nog niet gelezen
ingest-files-gone = { $n ->
        [one] Het bestand van { $n } bron is
       *[other] De bestanden van { $n } bronnen zijn
    } weg; --prune verwijdert ze uit het project.
ingest-no-text = Er staat geen tekst in.
    .fix = Controleer het bestand.
ingest-waiting = { $holder } Wacht tot die klaar is; Ctrl-C stopt.
ingest-left-out = Overgeslagen, omdat Foundry dit type niet kan lezen: { $names }{ $more ->
        [0] {""}
       *[other] {" "}en nog { $more }
    }. `foundry sources` noemt ze alle.
ingest-bad-name = De naam is geen geldige UTF-8. Geef het bestand een andere naam.
ingest-same-name = De naam is die van { $path }, op de codering van de letters na. Geef een van beide een andere naam, of verwijder er een.
ingest-failed = { $problem } { $problem-fix } { $advice }
ingest-failed-again = { $reason } De eerder ingelezen revisie blijft in het project.
ingest-no-result = De parser gaf geen resultaat.
ingest-attachments-left-out = Bijlagen die niet zijn gelezen: { $names }{ $more ->
        [0] {""}
       *[other] {" "}en nog { $more }
    }. `foundry sources` noemt ze met de reden.
ingest-attachments-limit = Het bestand heeft te veel bijlagen; er zijn er { $limit } gelezen.
ingest-attachment-deep = Het is een bijlage van een bijlage, meer dan { $limit } niveaus diep.
ingest-detached = het is geen bijlage meer
ingest-moved = verplaatst van { $path }
ingest-same-bytes = hetzelfde bestand als { $path }
ingest-copy-stays = het bestand is weg; hetzelfde staat nog op { $path }
ingest-strictest = { $path } en { $other } zijn hetzelfde bestand, dus beide zijn { $level }, het strengste van de twee.
ingest-gone = het bestand is weg
ingest-gone-kept = het bestand is weg; de tekst blijft tot `foundry ingest --prune`
ingest-status-added = toegevoegd
ingest-status-updated = bijgewerkt
ingest-status-removed = verwijderd
ingest-status-unchanged = ongewijzigd
ingest-status-failed = mislukt
ingest-watch-json = --watch en --json gaan niet samen: --watch eindigt nooit.
    .fix = Laat een van beide weg.
ingest-enqueue-ray = --enqueue laat het lezen over aan workers, dus --ray heeft hier geen effect.
    .fix = Geef het aan hen: `foundry work --ray ADRES`.
ingest-watching = Let op wijzigingen in { $places }. Stop met Ctrl-C.
ingest-empty-tag = Een tag is leeg.
    .fix = Laat hem weg, of noem een tag.
ingest-no-such-path = Dit bestand of deze map bestaat niet.
    .fix = Controleer het pad; bestanden moeten in het project staan.
ingest-estimate = Prefixen en samenvattingen vragen { $n ->
        [one] { $n } aanroep
       *[other] { $n } aanroepen
    } van { $models }: ongeveer { $tokens }, { $cost }.
ingest-limits = De grenzen zijn { $tokens } tokens en { $cost }.
ingest-call-models = De modellen aanroepen?
ingest-known-failures = { $n ->
        [one] { $n } bestand mislukte
       *[other] { $n } bestanden mislukten
    } opnieuw; `foundry sources` noemt de reden.
ingest-add-files = Voeg bestanden toe en voer `foundry ingest` opnieuw uit.
ingest-written = { $prefixes } en { $summaries } geschreven: { $calls }, { $tokens }, { $cost }.
ingest-no-files = Geen bestanden gevonden.
ingest-total = { $files }: { $listed }. { $chunks } met nieuwe vector, { $pending } nog zonder, in { $time }.
ingest-impact = Goedgekeurde concepten halen woorden aan die { $path } niet meer bevat: { $n }. `foundry draft impact { $path }` toont ze.
