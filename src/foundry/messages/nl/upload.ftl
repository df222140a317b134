upload-name-taken = Er is al een ander bestand met de naam { $name }.
    .fix = Geef uw bestand een andere naam, of geef aan dat het het andere vervangt.
    .request = Geef uw bestand een andere naam, of stuur het met replace=true, of met keep_both=true voor een eigen naam.
upload-too-large = Het bestand is groter dan { $limit } MB.
    .fix = Verhoog ingest.max_file_mb, of splits het bestand.
upload-program = Het bestand is een programma of een script.
    .fix = Stuur een document.
upload-other-kind = De naam eindigt op { $suffix }, maar de inhoud is { $kind }.
    .fix = Geef het bestand de juiste extensie.
upload-attached = { $path } is een bijlage van { $outer } en heeft geen eigen bestand.
    .fix = Verwijder { $outer }.
upload-file-stays = Het bestand { $path } kan niet worden verwijderd: { $cause }. Er is niets verwijderd.
    .fix = Verwijder het op zijn plaats, en daarna de bron.
upload-waiting = Het is verstuurd, en niet gelezen: het wacht, of is geannuleerd.
upload-kind-unknown = iets anders
upload-unknown = { $path } hoort niet bij de bestanden die niet gelezen konden worden.
    .fix = `foundry sources list` toont ze.
