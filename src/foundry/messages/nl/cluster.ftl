cluster-address = Het adres van een Ray-cluster is HOST:POORT, zoals 192.0.2.7:6379, of local.
    .fix = `ray status` op een node van het cluster toont het adres.
cluster-away = Daar antwoordt geen Ray-cluster ({ $cause }).
    .fix = Controleer het adres, en of het cluster draait: `ray status --address HOST:POORT`.
cluster-no-ray = Wat daar antwoordt, is geen Ray.
    .fix = Geef het adres van de head node, met de poort die `ray start --head` toont (standaard 6379).
cluster-refused = Ray kon niet worden gebruikt: { $cause }
    .fix = Deze machine moet een node van het cluster zijn (`ray start --address HOST:POORT`), met dezelfde versies van Ray en Python.
cluster-silent = De nodes van het cluster antwoordden niet ({ $cause }).
    .fix = Bekijk `ray status`; nodes die weg zijn, moeten opnieuw worden gestart.
cluster-gone = Het hoofdknooppunt van het cluster is weg.
    .fix = Start het cluster opnieuw of laat --ray weg, en voer de opdracht opnieuw uit: wat gelezen en omgezet is, blijft bewaard.
cluster-other-foundry = Node { $node } heeft { $theirs ->
        [none] geen Foundry
       *[other] Foundry { $theirs }
    }; dit is { $ours }. De resultaten zouden anders zijn.
    .fix = Installeer op alle nodes dezelfde Foundry en start ze opnieuw.
cluster-other-model = Een node heeft een ander embeddingmodel onder de naam { $model }: de vectoren zouden anders zijn.
    .fix = Zet op alle nodes dezelfde bestanden.
cluster-empty = Het cluster heeft hier geen processor voor.
    .fix = Start een node met processors: `ray start --address HOST:POORT --num-cpus 4`.
cluster-task-failed = Een node liep er op vast: { $cause }.
cluster-task-lost = Elk proces van het cluster dat dit probeerde, is gestopt ({ $cause }).
    .fix = Misschien vraagt het bestand meer geheugen dan een node heeft; geef de opdracht opnieuw.
cluster-file-unseen = Geen node van het cluster ziet dit bestand, en grotere dan { $limit } MB worden niet verstuurd.
    .fix = Geef de nodes de map van het project onder hetzelfde pad.
cluster-sqlite-elsewhere = Node { $node } is een andere machine; een SQLite-bestand is van daaruit niet veilig te lezen.
    .fix = Gebruik PostgreSQL (`foundry copy`), --ray local, of geen --ray. Ook een zij-index is een SQLite-bestand.
cluster-other-index = Node { $node } heeft een andere index van dit project.
    .fix = De bronnen zijn intussen gewijzigd, of de map op de node is een kopie: geef de opdracht opnieuw als er geen ingest loopt.
