# De zoekmachine naast de database.

-engine-rebuild = Voer `foundry index rebuild --engine` uit.

engine-address-invalid = Geen adres van een zoekmachine: { $address }.
    .fix = Gebruik lancedb:///MAP, of lancedb+s3://BUCKET/PAD (ook +gs, +az) met de sleutels in de omgeving.
engine-foreign = De zoekmachine bevat de vectoren van een ander project.
    .fix = Zet storage.engine_url op een plaats die geen ander project gebruikt.
engine-other-database = De zoekmachine bevat de vectoren van een andere database met dit project, zoals van een kopie ervan.
    .fix = Zet storage.engine_url op een plaats die alleen deze database gebruikt. Is de andere weg of hierheen verplaatst, voer dan `foundry index rebuild --engine` uit.
engine-not-local = mode is offline, maar storage.engine_url staat niet op deze machine: { $address }.
    .fix = Gebruik lancedb:///MAP, of zet mode: online.
engine-none = Er is geen zoekmachine ingesteld.
    .fix = Zet storage.engine_url in foundry.yaml.
engine-ahead = De zoekmachine heeft andere wijzigingen dan de database, zoals nadat een eerdere toestand ervan is teruggezet, of als een andere kopie ervan dezelfde plaats gebruikt.
    .fix = Voer `foundry index rebuild --engine` uit. Gebruikt een andere kopie van de database dezelfde plaats, stel dan eerst storage.engine_url in op een plaats die alleen deze database gebruikt.
engine-behind = De zoekmachine mist meer wijzigingen dan een zoekopdracht zelf vergelijkt.
    .fix = Voer `foundry ingest` uit, of wacht tot die klaar is.
engine-failed = De zoekmachine werkt niet: { $cause }.
    .fix = Controleer de map of bucket en de vrije ruimte, en voer dan `foundry index rebuild --engine` uit.
engine-fallback = De database heeft de vectoren zelf doorzocht, omdat de zoekmachine dat niet kon. { $cause }
    .fix = Voer `foundry index verify` uit.
engine-not-updated = De zoekmachine loopt achter: ze heeft de laatste wijzigingen niet ontvangen. { $cause } Voer `foundry ingest` opnieuw uit; komt deze melding terug, voer dan `foundry index rebuild --engine` uit.
engine-used = { $name } { $version } in { $place }: { $n ->
        [one] { $n } vector
       *[other] { $n } vectoren
    }{ $changed ->
        [0] , bijgewerkt
        [one] ; { $changed } gewijzigde bron wordt in de database vergeleken
       *[other] ; { $changed } gewijzigde bronnen worden in de database vergeleken
    }
engine-beside = { $name } { $version } in { $place }
engine-not-used = de zoekmachine is niet te gebruiken. { $cause } { $fix }
engine-problem = { $cause }
    .fix = { -engine-rebuild }
engine-lacks = De zoekmachine mist { $n ->
        [one] { $n } vector
       *[other] { $n } vectoren
    } van { $model }.
    .fix = { -engine-rebuild }
engine-extra = De zoekmachine heeft { $n ->
        [one] { $n } vector
       *[other] { $n } vectoren
    } van { $model } die de database niet heeft.
    .fix = { -engine-rebuild }
engine-differs = De zoekmachine heeft { $n ->
        [one] { $n } vector
       *[other] { $n } vectoren
    } van { $model } met een andere waarde.
    .fix = { -engine-rebuild }
engine-sent = Zoekmachine: { $n ->
        [one] { $n } vector
       *[other] { $n } vectoren
    } verzonden.
