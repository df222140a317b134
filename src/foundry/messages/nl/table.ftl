table-name-invalid = Een tabel heeft een naam van ten hoogste { $limit } tekens nodig, op één regel en zonder schuine streep.
    .fix = Geef er een met --name.
    .request = Geef er een als name.
table-no-questions = Er is nog geen tabel '{ $name }', en geen vraag om er een mee te beginnen.
    .fix = Geef een bestand met vragen, of zie `foundry table list`.
    .request = Geef questions.
table-many-questions = De tabel heeft { $n } vragen; er passen er ten hoogste { $most }.
    .fix = Stel de andere in een tweede tabel.
table-question-twice = { $questions } stond er twee keer, en wordt één keer gesteld.
table-no-sources = Geen enkele bron voldoet.
    .fix = Controleer de filters, of voer `foundry ingest` uit.
table-large = Deze tabel vraagt { $cells } cellen: { $rows } { $by ->
    [section] paragrafen
   *[source] bronnen
} × { $questions } vragen. { $most }
    .fix = Kies minder bronnen met --filter, of zeg --many als dat de bedoeling is.
    .request = Kies minder bronnen met filters, of zet confirmed als dat de bedoeling is.
table-most = Een model kan er tot { $tokens } tokens voor nodig hebben, { $cost }.
table-most-cost = ten hoogste { $cost } dollar
table-most-unknown = tegen een onbekende prijs
table-running = De tabel '{ $name }' loopt al.
    .fix = Wacht tot die run klaar is.
table-interrupted = Gestopt: { $kept } van { $of } cellen van '{ $name }' zijn bewaard.
    .fix = Dezelfde opdracht gaat daar verder.
    .request = Hetzelfde verzoek gaat daar verder.
table-kept = { $kept } van { $of } cellen zijn bewaard; dezelfde opdracht gaat daar verder.
table-conflicts = De bron spreekt zichzelf hierover tegen ({ $n ->
        [one] { $n } tegenspraak
       *[other] { $n } tegenspraken
    }).
table-passage-lacks = De passage mist: { $words }.
table-unlikely = De dichtstbijzijnde passage ({ $place }) is waarschijnlijk geen antwoord: score { NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) }.
table-unknown = Er is geen tabel '{ $name }'.
    .fix = `foundry table list` toont ze.
table-cell-unknown = De tabel heeft geen cel voor de bron '{ $row }' en de vraag '{ $column }'.
    .fix = Geef het pad of de id van een bron, en de vraag of het nummer ervan, zoals `foundry table show` ze heeft.
    .request = Geef het pad of de id van een bron als row, en de vraag of het nummer ervan als column.
table-cell-changed = Het antwoord van deze cel is intussen gewijzigd.
    .fix = Lees het opnieuw voordat u beslist.
table-cell-reviewed = { $by } heeft over deze cel beslist ({ $time }).
    .fix = Zeg --again om opnieuw te beslissen; beide beslissingen blijven bewaard.
    .request = Zet again om opnieuw te beslissen; beide beslissingen blijven bewaard.
table-value-invalid = De verbeterde waarde is leeg of langer dan { $limit } tekens.
    .fix = Geef alleen de waarde.
table-one-verdict = Een beoordeling zegt één ding.
    .fix = Geef een van --approve, --correct en --reject.
table-format-unknown = '{ $name }' is geen naam van een bestand waarin een tabel kan worden geschreven.
    .fix = Laat de naam eindigen op .csv, .xlsx, .docx of .html.
    .request = Geef csv, xlsx, docx of html.
table-written = Geschreven: { $path }
table-removed = Tabel '{ $name }' verwijderd.
table-none-yet = Geen tabellen. Zet vragen in een bestand, één per regel, en voer `foundry table run VRAGEN.txt` uit.
table-unfinished = niet klaar
table-decided = { $verdict ->
    [approved] Goedgekeurd
    [corrected] Verbeterd
   *[rejected] Afgewezen
} door { $by }: { $source }, { $question } { $value }
table-done = { $name }: { $asked } gevraagd, { $reused } ongewijzigd en niet opnieuw gevraagd, { $changed } zeggen iets anders dan eerst, in { NUMBER($seconds, minimumFractionDigits: 1, maximumFractionDigits: 1) } s.{ $failed ->
    [0] { "" }
    [one] { " " }{ $failed } is mislukt, en wordt bij de volgende run opnieuw gevraagd.
   *[other] { " " }{ $failed } zijn mislukt, en worden bij de volgende run opnieuw gevraagd.
}{ $gone ->
    [0] { "" }
    [one] { " " }De bron van { $gone } is intussen verwijderd of vervangen.
   *[other] { " " }De bronnen van { $gone } zijn intussen verwijderd of vervangen.
}

# Een cel.
table-not-asked = nog niet gevraagd
table-state = { $state ->
    [answered] ✓ beantwoord
    [low_confidence] twijfel
    [quoted] letterlijk
    [passage] zie passage
    [failed] mislukt
   *[nothing] niets gevonden
}
table-verdict = { $verdict ->
    [approved] ✓ goedgekeurd
    [corrected] ✓ verbeterd
   *[rejected] ✗ afgewezen
} door { $by }
table-changed-since = Gewijzigd sinds { $by } besliste ({ $time }): toen “{ $old }”, nu “{ $new }”.
table-changed = Gewijzigd sinds de vorige run: toen “{ $old }”, nu “{ $new }”.
table-source-fate = { $fate ->
    [gone] De bron is weg.
   *[changed] De bron is sindsdien gewijzigd; voer de tabel opnieuw uit.
}

# Bestanden.
table-column-source = Bron
table-column-title = Titel
table-column-question = Vraag
table-column-value = Waarde
table-column-state = status
table-column-place = plaats
table-column-quote = citaat
table-column-notes = opmerkingen
table-column-hash = SHA-256 van het bestand
table-column-answer = antwoord in het logboek
table-sheet-values = Tabel
table-sheet-cells = Citaten
table-made = Gemaakt
table-confidentiality = Vertrouwelijkheid
table-filters = Alleen
table-count-sources = Bronnen
table-count-questions = Vragen
table-count-run = Run
table-outside-section = Er is alleen tekst buiten deze paragraaf gevonden.
table-other-rows = De rijen van de tabel '{ $name }' zijn { $by ->
    [section] paragrafen
   *[source] bronnen
}.
    .fix = Laat --by weg, of kies een andere --name.
    .request = Laat by weg, of kies een andere naam.
table-column-section = Paragraaf
table-count-sections = Paragrafen
