copy-done = { $sources ->
        [one] Eén bron
       *[other] { $sources } bronnen
    } in de kopie ({ $copied } nu gekopieerd, met { $vectors } vectoren), en { $rows ->
        [one] één rij
       *[other] { $rows } rijen
    } van logs, concepten, evaluatie en caches.
copy-verified = In orde: de kopie is volledig, en tabellen en indexen kloppen met elkaar.
copy-next = Zet storage.url in foundry.yaml op { $address }.
copy-differs = { $name }: { $expected } in het origineel, { $found } in de kopie.
    .fix = Voer `foundry copy` opnieuw uit met een lege database.
copy-same = FROM en TO zijn dezelfde database.
    .fix = Noem twee databases.
copy-empty = De database bevat niets van dit project.
    .fix = Controleer FROM: dat is de database die gekopieerd wordt.
copy-target-taken = De database bevat andere inhoud van dit project.
    .fix = Noem een lege database: een kopie vervangt niets.
