-store-bug = Dit is een fout in Foundry: meld deze, met de gegeven opdracht.
-store-permissions = Controleer van wie het bestand en de map zijn, en of beide beschrijfbaar zijn.
-store-files = het bestand en de bestanden ernaast die eindigen op -wal, -shm en -journal
-store-restore = Verplaats { -store-files }. Zet daarna een reservekopie op die plaats (het nieuwste bestand dat eindigt op .backup), of voer `foundry ingest` uit: dat bouwt alles behalve logboeken en concepten opnieuw op uit de bronnen.
-store-rebuild = Voer `foundry index rebuild` uit.
-store-reembed = Voer `foundry index rebuild --embeddings` uit.
-store-reingest = Verwijder de bron met `foundry sources remove` en voer dan `foundry ingest` uit.

# Who holds a lock; $command is that of the process, python for a program of somebody's own.
-store-wait = Wacht tot dat klaar is, of stop dat proces.
store-holder = { $command ->
        [python] Een Python-programma
       *[other] `foundry { $command }`
    } is bezig met dit project: proces { $process } op { $host }.
    .fix = { -store-wait }
store-holder-since = { $command ->
        [python] Een Python-programma
       *[other] `foundry { $command }`
    } is bezig met dit project: proces { $process } op { $host }, sinds { $since }.
    .fix = { -store-wait }
store-holder-unknown = Een ander proces is bezig met dit project.
    .fix = { -store-wait }
store-waited = { $holder } Dat was niet klaar binnen { $minutes ->
        [one] een minuut.
       *[other] { $minutes } minuten.
    }
    .fix = Voer de opdracht opnieuw uit als dat klaar is. Hangt het, stop dan dat proces: wat het heeft bewaard, blijft.

# Errors of the database library; $cause is what it says.
store-locked = Een ander proces houdt de database al meer dan een minuut bezet ({ $cause }).
    .fix = Wacht tot de andere `foundry` klaar is, of stop die, en probeer het opnieuw.
store-damaged = De database is beschadigd ({ $cause }).
    .fix = { -store-restore }
store-no-database = Het bestand is geen database ({ $cause }).
    .fix = { -store-restore }
store-disk-full = De schijf van de database is vol ({ $cause }).
    .fix = Maak ruimte vrij en geef de opdracht opnieuw; alles wat al is opgeslagen, is veilig.
store-disk-failed = De schijf gaf een fout bij het lezen of schrijven van de database ({ $cause }).
    .fix = Controleer de schijf en de verbinding ermee, en voer daarna `foundry index verify` uit.
store-not-writable = De database is niet beschrijfbaar ({ $cause }).
    .fix = { -store-permissions }
store-not-opened = De database kan niet worden geopend ({ $cause }).
    .fix = { -store-permissions }
store-unreachable = De database is niet bereikbaar ({ $cause }).
    .fix = { -store-permissions }
store-no-memory = Er is niet genoeg geheugen ({ $cause }).
    .fix = Sluit andere programma's en probeer het opnieuw.
store-interrupted = De bewerking van de database is onderbroken ({ $cause }).
    .fix = Voer die opnieuw uit.
store-connection-closed = De database is al gesloten ({ $cause }).
    .fix = { -store-bug }
store-statement-rejected = De database weigerde een instructie ({ $cause }).
    .fix = { -store-bug }
store-conflict = De gegevens botsen met wat er is opgeslagen: een id of pad komt dubbel voor, of een eigenaar ontbreekt ({ $cause }).
    .fix = Voer `foundry index verify` uit; vindt dat niets, meld dit dan.
store-file-too-large = Het bestandssysteem ondersteunt geen bestand van deze grootte ({ $cause }).
    .fix = Verplaats het project naar een schijf die grote bestanden ondersteunt.
store-text-too-large = Een tekst is te groot voor de database; een gigabyte is de grens ({ $cause }).
    .fix = Splits de bron in meerdere bestanden.
store-text-half-character = Een tekst bevat een half teken (een los surrogaat) en kan niet worden opgeslagen.
    .fix = Sla de bron op als geldige UTF-8 en voer `foundry ingest` opnieuw uit.

# The file and its place.
store-address-invalid = Geen geldig adres van een database: '{ $address }'.
    .fix = Schrijf sqlite:///PAD, bijvoorbeeld sqlite:///.foundry/foundry.db, of postgresql://GEBRUIKER@HOST/DATABASE.
store-folder-outside = De map van de database ligt buiten het project en bestaat niet: { $folder }.
    .fix = Maak de map, of kies een plaats binnen het project.
store-folder = De database hoort een bestand te zijn, maar dit is een map.
    .fix = Verbeter storage.url in foundry.yaml, of verplaats de map.
store-file-empty = Het databasebestand is leeg: het is afgekapt, of een ander programma heeft het gemaakt.
    .fix = Zet een reservekopie terug, of verwijder { -store-files } en voer `foundry ingest` uit.
store-foreign-database = Het bestand is een database, maar niet van Foundry.
    .fix = Verbeter storage.url in foundry.yaml, of verplaats het bestand.
store-schema-newer = Een nieuwere Foundry heeft deze database geschreven (schema { $version }, hier bekend tot { $newest }).
    .fix = Werk Foundry bij, of zet de reservekopie van vóór de update terug.
store-schema-older = Een oudere Foundry heeft deze database geschreven, en is alleen geopend om te lezen.
    .fix = Voer één keer `foundry ingest` uit met schrijfrechten.
store-other-project = De database hoort bij project '{ $owner }', niet bij '{ $project }'.
    .fix = Herstel project.id in foundry.yaml, of noem een ander bestand in storage.url.
store-no-database-yet = Het project heeft nog geen database.
    .fix = Voer eerst `foundry ingest` uit.
store-read-only = De database is alleen geopend om te lezen.
    .fix = Controleer of het databasebestand en de map beschrijfbaar zijn.
store-replaced = Het databasebestand is verplaatst, verwijderd of vervangen terwijl het in gebruik was.
    .fix = Zet het terug, of start Foundry opnieuw om het bestand te gebruiken dat er nu staat.
store-closed = De opslag is gesloten.
    .fix = Open die opnieuw.

# Een PostgreSQL-server.
store-address-password = Het adres van de database bevat een wachtwoord, en dat hoort niet in foundry.yaml.
    .fix = Laat het weg en zet het in PGPASSWORD of in ~/.pgpass.
store-server-unreachable = De databaseserver is niet bereikbaar ({ $cause }).
    .fix = Kijk of hij draait en of storage.url de juiste host, poort en database noemt.
store-server-busy = De databaseserver heeft geen verbinding vrij ({ $cause }).
    .fix = Wacht even, of verhoog max_connections op de server.
store-server-disk-full = De schijf van de databaseserver is vol ({ $cause }).
    .fix = Maak ruimte op de server en voer de opdracht opnieuw uit: niets is half opgeslagen.
store-login-refused = De databaseserver weigert de aanmelding ({ $cause }).
    .fix = Controleer de gebruiker in storage.url en het wachtwoord in PGPASSWORD of ~/.pgpass.
store-no-such-database = De database bestaat niet op de server ({ $cause }).
    .fix = Maak die met `createdb NAAM`, of verbeter storage.url.
store-not-permitted = De databasegebruiker mag dit niet ({ $cause }).
    .fix = Voer de opdracht één keer uit als eigenaar van de tabellen, of geef de rechten uit roles.sql.
store-schema-not-made = De database heeft nog geen tabellen van Foundry, en deze gebruiker mag ze niet maken ({ $cause }).
    .fix = Voer `foundry ingest` één keer uit als eigenaar van de database, en dan roles.sql, zoals docs/installation.md zegt.
store-schema-not-updated = Een oudere Foundry heeft de tabellen gemaakt, en deze gebruiker mag ze niet bijwerken ({ $cause }).
    .fix = Voer `foundry ingest` met deze versie van Foundry één keer uit als eigenaar van de tabellen, en dan opnieuw roles.sql, zoals docs/installation.md zegt.
store-schema-changed = De tabellen zijn niet zoals Foundry ze maakte ({ $cause }).
    .fix = Iemand heeft het schema met de hand veranderd: zet een back-up van de database terug.
store-text-refused = De database weigert een waarde ({ $cause }).
    .fix = { -store-bug }
store-server-too-old = Op de server draait PostgreSQL { $version }; Foundry vraagt 15 of nieuwer.
    .fix = Werk de server bij, of gebruik SQLite.
store-no-such-project = De database heeft nog geen project '{ $project }'.
    .fix = Voer `foundry ingest` uit; dat voegt het toe.
store-project-dropped = De database heeft dit project niet meer: het is verwijderd ({ $cause }).
    .fix = Voer `foundry ingest` uit; dat voegt het project weer toe en leest de bronnen. Start een draaiende server opnieuw.

# What is saved and searched.
store-no-such-source = Deze bron bestaat niet.
    .fix = Voer `foundry sources list` uit om alle bronnen te zien.
store-chunk-differs = Chunk { $chunk } wijkt af van de tekst op { $place }.
    .fix = { -store-bug }
store-no-embeddings = Er zijn geen embeddings van model { $model }. Voer eerst foundry ingest uit.
    .fix = Voer `foundry ingest` uit, of zet embedding.model terug op het model van de index.
store-embeddings-differ = De embeddings van model { $model } zijn met andere instellingen gemaakt.
    .fix = { -store-reembed }
store-vector-shape = Een vector heeft de vorm { $shape } in plaats van { $dimension }.
    .fix = { -store-reembed }
store-vector-length = Het model gaf een vector van lengte { $length }, niet van lengte 1.
    .fix = Kies een ander embedding.model, of meld dit.
store-no-windows = Een chunk heeft geen vectoren voor zijn vensters.
    .fix = { -store-bug }

# What `foundry index verify` finds.
store-database-damaged = Het bestand is beschadigd: { $cause }.
    .fix = { -store-restore }
store-damage-more = { $cause }; en nog { $n }
store-sources-damaged = Er zijn bronnen die niet kunnen worden gelezen: { $cause }.
    .fix = { -store-restore }
store-text-index-damaged = De tekstindex is beschadigd: { $cause }.
    .fix = { -store-rebuild }
store-vectors-damaged = De vectoren van { $model } kunnen niet worden gelezen: { $cause }.
    .fix = { -store-reembed }
store-chunks-without-source = { $n ->
        [one] Eén chunk hoort bij geen enkele bron.
       *[other] { $n } chunks horen bij geen enkele bron.
    }
    .fix = { -store-rebuild }
store-blocks-without-source = { $n ->
        [one] Eén blok hoort bij geen enkele bron.
       *[other] { $n } blokken horen bij geen enkele bron.
    }
    .fix = { -store-rebuild }
store-texts-without-source = { $n ->
        [one] Eén stuk tekst hoort bij geen enkele bron.
       *[other] { $n } stukken tekst horen bij geen enkele bron.
    }
    .fix = { -store-rebuild }
store-paths-without-source = { $n ->
        [one] Eén koppenpad hoort bij geen enkele bron.
       *[other] { $n } koppenpaden horen bij geen enkele bron.
    }
    .fix = { -store-rebuild }
store-summaries-without-source = { $n ->
        [one] Eén samenvatting hoort bij geen enkele bron.
       *[other] { $n } samenvattingen horen bij geen enkele bron.
    }
    .fix = { -store-rebuild }
store-text-rows-without-chunk = { $n ->
        [one] Eén rij van de tekstindex hoort bij geen enkele chunk.
       *[other] { $n } rijen van de tekstindex horen bij geen enkele chunk.
    }
    .fix = { -store-rebuild }
store-chunks-without-text-row = { $n ->
        [one] Eén chunk staat niet in de tekstindex.
       *[other] { $n } chunks staan niet in de tekstindex.
    }
    .fix = { -store-rebuild }
store-lengths-differ = De lengten van alle chunks verschillen van de tekstindex: { $n ->
        [one] één term.
       *[other] { $n } termen.
    }
    .fix = { -store-rebuild }
store-words-differ = { $n ->
        [one] Eén chunk staat met andere woorden of niet in de index van pg_textsearch.
       *[other] { $n } chunks staan met andere woorden of niet in de index van pg_textsearch.
    }
    .fix = { -store-rebuild }
store-statistics-differ = { $n ->
        [one] Eén bron heeft statistieken van andere chunks.
       *[other] { $n } bronnen hebben statistieken van andere chunks.
    }
    .fix = { -store-rebuild }
store-chunk-text-differs = { $n ->
        [one] Eén chunk van { $path } wijkt af van de tekst van de bron.
       *[other] { $n } chunks van { $path } wijken af van de tekst van de bron.
    }
    .fix = { -store-reingest }
store-chunk-content-differs = { $n ->
        [one] Eén chunk van { $path } wijkt af van de tekst waarvan de embedding is gemaakt.
       *[other] { $n } chunks van { $path } wijken af van de tekst waarvan de embedding is gemaakt.
    }
    .fix = { -store-reingest }
store-chunk-blocks-differ = { $n ->
        [one] Eén chunk van { $path } verwijst niet naar zijn blokken.
       *[other] { $n } chunks van { $path } verwijzen niet naar hun blokken.
    }
    .fix = { -store-reingest }
store-chunk-terms-differ = { $n ->
        [one] Eén chunk van { $path } heeft andere termen in de tekstindex.
       *[other] { $n } chunks van { $path } hebben andere termen in de tekstindex.
    }
    .fix = { -store-rebuild }
store-source-without-summary = { $path } heeft geen samenvatting.
    .fix = { -store-reingest }
store-vectors-unregistered = De tabel { $table } hoort bij geen enkele index.
    .fix = { -store-rebuild }
store-vectors-without-chunk = { $n ->
        [one] Eén vector van { $model } hoort bij geen enkele chunk.
       *[other] { $n } vectoren van { $model } horen bij geen enkele chunk.
    }
    .fix = { -store-rebuild }
store-vectors-lost = Vectoren van { $model } in de lijst: { $n }; een zoekopdracht ziet er { $visible }.
    .fix = { -store-reembed }
store-vectors-wrong = { $n ->
        [one] Eén vector van { $model } heeft de verkeerde grootte of heeft niet lengte 1.
       *[other] { $n } vectoren van { $model } hebben de verkeerde grootte of hebben niet lengte 1.
    }
    .fix = { -store-reembed }
store-vectors-without-windows = { $n ->
        [one] Eén vector van { $model } mist de vectoren van de vensters.
       *[other] { $n } vectoren van { $model } missen de vectoren van de vensters.
    }
    .fix = { -store-reembed }
store-windows-without-vector = { $n ->
        [one] Eén chunk heeft vensters van { $model } en geen vector.
       *[other] { $n } chunks hebben vensters van { $model } en geen vector.
    }
    .fix = { -store-reembed }
store-windows-wrong = { $n ->
        [one] Eén chunk heeft beschadigde vensters van { $model }.
       *[other] { $n } chunks hebben beschadigde vensters van { $model }.
    }
    .fix = { -store-reembed }
