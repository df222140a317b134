work-busy = { $workers ->
        [0] er draait geen worker; start er een met `foundry work`
       *[other] { $workers ->
            [one] één worker
           *[other] { $workers } workers
        }, { $n ->
            [0] geen bezig
           *[other] { $n } bezig
        }
    }
work-workers = { $n ->
        [0] er draait geen worker: start er een
        [one] er draait één worker; start er meer
       *[other] er draaien { $n } workers; start er meer
    }
work-queued = { $n ->
        [0] Geen bestand hoeft gelezen te worden.
        [one] Eén bestand wacht op een worker; { $workers } met `foundry work`, op elke machine die deze map heeft en de database bereikt.
       *[other] { $n } bestanden wachten op workers; { $workers } met `foundry work`, op elke machine die deze map heeft en de database bereikt.
    }
work-listed = { $n ->
        [0] Er draait geen worker: start er een met `foundry work`.
        [one] Er draait één worker: { $names }.
       *[other] Er draaien { $n } workers: { $names }.
    }
work-lost = { $n } workers zijn eraan begonnen en geen maakte het af: ze zijn gestopt, of het bestand is te veel voor ze.
work-too-long = Het duurde langer dan { $minutes } minuten.
work-file-gone = Het bestand is er niet meer, of niet op de machine van de worker.
work-cancelled = geannuleerd
work-started = Wacht op bestanden, als { $worker }. Druk op Ctrl-C om te stoppen.
work-ended = { $n ->
        [one] Eén taak
       *[other] { $n } taken
    } klaar.
work-none = Geen taken.
work-cancelled-jobs = { $n ->
        [one] Eén taak
       *[other] { $n } taken
    } geannuleerd.
work-status-waiting = wacht
work-status-running = bezig
work-status-done = klaar
work-status-failed = mislukt
work-status-cancelled = geannuleerd
work-outage = { $problem } Wacht erop.
work-other-recipe = Dit bestand is klaargezet door een andere Foundry ({ $theirs }; deze worker is { $ours }) of met andere instellingen: de chunks of vectoren zouden anders zijn.
    .fix = Gebruik dezelfde versie, foundry.yaml en omgeving, of geef hier opnieuw `foundry ingest --enqueue`.
work-unknown-job = Geen taak heeft de id '{ $id }'.
    .fix = Voer `foundry work list` uit om ze te zien.
work-skipped = Project { $project } wordt overgeslagen: { $problem }
work-no-projects = Geen map daarin is een project.
    .fix = Noem de map waar de mappen van de projecten in staan.
