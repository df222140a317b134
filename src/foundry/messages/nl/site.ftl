site-skip = Naar de inhoud
site-navigation = Hoofdmenu
site-nav-ask = Vragen
site-nav-sources = Bronnen
site-nav-log = Logboek
site-nav-conversations = Gesprekken
site-nav-tables = Tabellen
site-nav-search = Zoeken
site-nav-quality = Kwaliteit
site-nav-admin = Beheer
site-nav-feedback = Feedback
site-nav-runs = Evaluatie
site-nav-health = Gezondheid
site-nav-people = Mensen
site-nav-audit = Audit
site-logout = Uitloggen
site-session-over = Uw sessie is verlopen. Log opnieuw in om verder te gaan.
site-token-help = Vraag de eigenaar van het project om een token.
site-pane = Bron
site-divider = Breedte van de bron

site-ask = Vraag
site-ask-title = Stel { $project } een vraag
site-ask-promise = Antwoorden komen alleen uit de bronnen van het project, en bij elke zin staat waar die vandaan komt.
site-question = Uw vraag
site-placeholder = Stel een vraag
site-follow-up = Stel een vervolgvraag
site-filters = Filters
site-agent = Agent
site-agent-none = Geen
site-list-all = Lees alles, voor een lijst
site-filter-source = Document
site-filter-type = Soort
site-filter-tag = Tag
site-filter-from = Van
site-filter-to = Tot en met
site-all = Alle
site-suggestions = Bijvoorbeeld
site-recent = Eerder gevraagd
site-no-sources = Er zijn nog geen bronnen.
site-add-source = Bron toevoegen

site-searching = De bronnen worden doorzocht …
site-checking = Elke zin wordt met de bron vergeleken …
site-waiting = Wacht tot andere antwoorden klaar zijn …
site-again = Probeer opnieuw
site-question-long = Een vraag heeft hooguit { $n } tekens. Maak hem korter.
site-stop = Stop
site-stopped = Gestopt. Wat er staat is gecontroleerd; de rest is niet geschreven.
site-lost = De verbinding viel weg voordat het antwoord klaar was. Stel de vraag opnieuw.
site-complete = Het antwoord is compleet.
site-understood = Opgevat als: { $question }

site-low-confidence = Weinig zekerheid: controleer de citaten voordat u dit antwoord gebruikt.
site-uncovered = Geen enkele bron gaat over:
site-citation = Bron { $number }: { $title }
site-open-source = Open { $title }
site-sources-of-answer = { $n ->
    [one] Bron
   *[other] Bronnen
}
site-computed = Berekend uit de bronnen: { $values }
site-changes = { $n ->
    [one] Eén zin door de controle gewijzigd of verwijderd
   *[other] { $n } zinnen door de controle gewijzigd of verwijderd
}
site-notices = { $n ->
    [one] Eén opmerking bij dit antwoord
   *[other] { $n } opmerkingen bij dit antwoord
}
site-conflict = De bronnen spreken elkaar tegen
site-conflict-holds = Hier gevolgd: { $source } ({ $rule }).
site-superseded = Oudere revisies zeggen iets anders

site-passage = Passage { $number }: { $title }
site-nearest = Het dichtst bij de vraag:
site-passage-same = Hetzelfde in:

site-card-previous = Vorige bron van deze zin
site-card-next = Volgende bron van deze zin
site-card-picture = Het geciteerde deel van { $place }
site-card-open = Open bij het citaat
site-strength-strong = Past goed bij de vraag
site-strength-fair = Past redelijk goed bij de vraag
site-strength-weak = Past matig bij de vraag

site-copy = Kopieer met bronnen
site-docx = Word
site-permalink = Link
site-permalink-role = Opent voor de rol { $role } en hoger, ook als elke geciteerde bron openbaar is.
site-was-it-right = Klopt dit?
site-judge-correct = Juist
site-judge-wrong-source = Verkeerde bron
site-judge-wrong-fact = Onjuist feit
site-judge-missing = Er ontbreekt iets

site-note = Wat is juist, of wat ontbreekt?
site-was-it-there = Staat de juiste passage erbij?
site-judge-passages-correct = Staat erbij
site-judge-passages-wrong-source = Staat er niet bij

site-answer-without-text = Dit antwoord is zonder tekst in het logboek opgeslagen.

site-log-kind = Soort
site-log-outcome = Uitkomst
site-log-days = Periode
site-log-last = { $n ->
    [one] Laatste dag
   *[other] Laatste { $n } dagen
}
site-log-show = Toon
site-log-more = Toon meer
site-log-time = Tijd
site-log-question = Vraag of document
site-log-seconds = Seconden
site-log-cost = Kosten
site-seconds = { NUMBER($n, minimumFractionDigits: 1, maximumFractionDigits: 1) }
site-dollars = $ { NUMBER($n, minimumFractionDigits: 4, maximumFractionDigits: 4) }
site-log-empty = Geen regels gevonden.
site-log-summary = { $n } regels: { $answered } beantwoord, { $unsure } met weinig zekerheid, { $read } met passages, { $refused } zonder bewijs, { $errors } mislukt.
site-kind-ask = Vraag
site-kind-chat = Gesprek
site-kind-generate = Document
site-kind-verify = Controle
site-kind-eval = Evaluatie
site-outcome-answer = Beantwoord
site-outcome-low-confidence = Weinig zekerheid
site-outcome-passages = Passages
site-outcome-no-evidence = Geen bewijs
site-outcome-error = Mislukt
site-pane-close = Sluiten
site-to-citation = Naar de eerste bron in het antwoord
site-pane-pages = Pagina's
site-pane-loading = De bron wordt geopend.
site-pane-previous = Vorig citaat
site-pane-next = Volgend citaat
site-pane-find = Zoek in deze bron
site-pane-search = Zoek
site-pane-found-previous = Vorige vindplaats
site-pane-found-next = Volgende vindplaats
site-pane-smaller = Kleiner
site-pane-larger = Groter
site-pane-download = Downloaden
site-pane-link = Kopieer link
site-pane-page = Pagina { $label }
site-pane-earlier = Toon wat ervoor staat
site-pane-later = Toon wat volgt
site-pane-changed = Deze bron is gewijzigd nadat eruit geciteerd is.
site-pane-gone = “{ $title }” kan niet worden geopend. De bron is uit het project verwijderd, of u mag die niet meer zien.

site-drop = Sleep bestanden hierheen
site-choose = Kies bestanden
site-upload = Toevoegen
site-name-taken = Als een ander bestand zo heet
site-name-refuse = Niet toevoegen
site-tags = Tags
site-status-as-read = zoals het zelf zegt
site-level = Vertrouwelijkheid
site-level-public = Openbaar
site-level-internal = Intern
site-level-confidential = Vertrouwelijk
site-level-secret = Geheim
site-cancel = Annuleren
site-cancelled = Geannuleerd: de bronnen zijn zoals ze waren; het bestand blijft in zijn map staan
site-cancelling = Wordt geannuleerd …
site-cancelled-sending = Geannuleerd: er is niets verzonden
site-cancel-late = Het was gelezen voordat het geannuleerd kon worden. Verwijder het in de details.
site-unchanged = Niet veranderd sinds het is gelezen
site-replaced = Een andere taak leest dit bestand
site-jobs-rest = En nog { $n } wachten
site-replace = Vervangen
site-keep-both = Beide bewaren
site-sending = Wordt verzonden …
site-waiting-job = Wacht op lezen
site-reading = Wordt gelezen …
site-stage-read = Lezen
site-stage-store = Opslaan
site-stage-embed = Vectoren maken
site-stage-summaries = Samenvatten
site-stage-prefixes = Chunks beschrijven
site-read = Gelezen
site-dismiss = Sluiten
site-details = Details
site-details-of = Details van { $path }
site-open = Openen
site-attached-to = Bijlage van
site-attachments = Bijlagen
site-save = Opslaan
site-saved = Opgeslagen
site-list-words = Naam, titel of tag
site-list-order = Volgorde
site-order-path = Map
site-order-title = Titel
site-order-modified = Laatst gewijzigd
site-order-ingested = Laatst gelezen
site-file = Bestand
site-column-type = Type
site-column-revision = Revisie
site-column-date = Datum
site-column-status = Status
site-column-confidentiality = Vertrouwelijkheid
site-column-state = Toestand
site-column-size = Omvang
site-order-column = Op kolom
site-file-read = Gelezen
site-file-warned = Gelezen met waarschuwingen
site-file-waiting = Wacht
site-file-failed = Niet gelezen
site-file-left_out = Overgeslagen
site-file-new = Nieuw in de map
site-file-changed = Gewijzigd op schijf
site-file-gone = Bestand is weg
site-warnings-more = (en nog { $n })
site-later-revision = Latere revisie: { $path }
site-list-current = Alleen geldende revisies
site-list-clear = Toon alles
site-read-now = Lees
site-remove-more = Verwijderen …
site-remove-many = { $n ->
    [one] Deze bron verwijderen?
   *[other] { $n } bronnen verwijderen?
}
site-remove-many-what = Hun tekst verdwijnt uit het project: geen antwoord gebruikt hem nog.
site-remove-files = Verwijder ook hun bestanden. Ze zijn niet terug te halen.
site-selection = Met de gekozen bronnen
site-select-of = Kies { $path }
site-select-page = Kies alles op deze pagina
site-select-every = Alle { $n } bronnen die passen
site-selected = % gekozen
site-tags-add = Tags toevoegen
site-tags-remove = Tags weghalen
site-as-it-is = Niet wijzigen
site-done-changed = { $n ->
    [0] Er hoefde niets te worden gewijzigd.
    [one] Eén bron is gewijzigd.
   *[other] { $n } bronnen zijn gewijzigd.
}
site-done-removed = { $n ->
    [one] Eén bron is verwijderd.
   *[other] { $n } bronnen zijn verwijderd.
}
site-done-waiting = { $n ->
    [0] Er is niets gewijzigd sinds het gelezen is.
    [one] Eén bestand wacht tot het gelezen wordt.
   *[other] { $n } bestanden wachten tot ze gelezen worden.
}
site-done-partly = { $done } gedaan, { $failed } niet:
site-folder-compare = Vergelijk met de map
site-folder-same = De map is zoals ze gelezen is.
site-folder-new = { $n ->
    [one] Eén bestand is nieuw
   *[other] { $n } bestanden zijn nieuw
}
site-folder-changed = { $n ->
    [one] Eén bestand is gewijzigd
   *[other] { $n } bestanden zijn gewijzigd
}
site-folder-gone = { $n ->
    [one] Eén bestand is weg
   *[other] { $n } bestanden zijn weg
}
site-as-revision = Voeg toe als nieuwe revisie
site-none-match = Geen bron past hierbij.
site-pages = Pagina’s van de lijst
site-page-earlier = Vorige
site-page-later = Volgende
site-page-range = { $first }–{ $last } van { $total }
site-read-files = { $n ->
    [one] Lees één bestand
   *[other] Lees { $n } bestanden
}
site-read-folder = Lees de map
site-folder-nothing = Alles in de map is gelezen.
site-read-again = Opnieuw lezen
site-remove = Verwijderen
site-remove-title = { $path } verwijderen?
site-remove-what = De tekst verdwijnt uit het project: geen antwoord gebruikt hem nog.
site-remove-file = Verwijder ook het bestand { $path }. Het is niet terug te halen.
site-remove-file-stays = Anders blijft het bestand in zijn map staan, en wordt het weer toegevoegd als de map wordt gelezen.
site-summary = Samenvatting
site-names = Namen waarover de bron gaat of die ze definieert
site-tables = Tabellen zoals gelezen
site-row = Rij
site-chunks = Chunks zoals gelezen
site-tokens = { $n } tokens
site-more-chunks = En nog { $n }.
site-pane-cited-by = { $n ->
    [one] Geciteerd in één antwoord
   *[other] Geciteerd in { $n } antwoorden
}

site-source-views = Weergaven van deze bron
site-source-original = Origineel
site-source-read = Zoals gelezen
site-source-facts = Gegevens
site-part = Deel { $n } van { $total }
site-go = Ga
site-go-page = Pagina
site-go-part = Deel
site-blocks = Blokken
site-blocks-none = Hier is niets gelezen.
site-page-picture = Pagina { $label }; de woorden staan als blokken in de lijst
site-block = Blok { $n }
site-block-of = Blok { $n } van { $total }
site-block-kind = { $kind ->
    [heading] Kop { $level }
    [list_item] Lijstregel
    [table] Tabel
    [code] Code
    [caption] Bijschrift
    [cue] Gesproken
    [contents] Inhoudsopgave
   *[paragraph] Alinea
}
site-block-ocr = OCR, { NUMBER($share, style: "percent") } zeker
site-block-on-page = Toon op de pagina
site-block-on-page-of = Toon blok { $n } op de pagina
site-block-correct = Corrigeren
site-block-correct-of = Blok { $n } corrigeren
site-block-open-of = Blok { $n } openen
site-block-more = Toon de rest: deel 2 van { $n }
site-block-now = Zoals het wordt gebruikt
site-block-long = Dit blok is te lang om hier te herschrijven. Corrigeer enkele woorden ervan via de API of op de opdrachtregel.
site-pieces = Delen van dit blok
site-corrected = Gecorrigeerd
site-corrections = Correcties
site-citing = Geciteerd in
site-citing-none = Geen antwoord of concept citeert deze bron.
site-undo = Ongedaan maken
site-undo-of = Ongedaan maken: { $change }
site-preview = Voorbeeld
site-preview-citing = Antwoorden en concepten die dit citeren
site-preview-none = Geen antwoord of concept citeert dit.
site-now = Nu
site-then = Gecorrigeerd
site-correct = Correctie opslaan
site-correction-why = Reden, zoals “er staat 16”
site-block-text = Tekst zoals gedrukt
site-printed = Woorden zoals gedrukt
site-grid = Tabel zoals gelezen
site-grid-how = Kies een cel of rij om die te corrigeren.
site-cell = Cel { $name }
site-cell-empty = Cel { $name }, leeg
site-row-n = Rij { $n }
site-row-printed = Rij zoals gedrukt: “|” tussen cellen, een regel voor elke gedrukte rij
site-row-drop = Laat deze rij weg
site-row-split = Hier begint een nieuwe tabel
site-structure = Koprijen, kopkolommen, samengevoegde cellen
site-header-rows = Koprijen: 2, of 3-4
site-header-columns = Kopkolommen
site-span = Cellen die één zijn
site-merge = De volgende tabel hoort bij deze
site-heading-is = Het is
site-heading-none = tekst
site-heading-words = Alleen deze woorden ervan
site-tables-more = En nog { $n } onder “Zoals gelezen”.
site-corrections-none = In deze bron is niets gecorrigeerd.
site-table-uncertain = Labels onzeker

site-nav-verify = Controleren
site-verify-promise = Elke bewering van een tekst, gecontroleerd tegen de bronnen van het project. Er blijft niets van bewaard dan een regel in het logboek.
site-verify-text = Tekst, in Markdown
site-verify-judge = Beoordelaar
site-verify-no-judge = Geen: alleen regels
site-verify-check = Controleer
site-verify-step = Controleren tegen de bronnen: % beweringen …
site-judge-step = Beoordelen wat de regels openlaten: % beweringen …
site-verify-lost = De verbinding viel weg voordat de tekst gecontroleerd was. Controleer hem opnieuw.

site-search-words = Woorden of een vraag
site-search-promise = Passages die het dichtst bij uw woorden liggen, zonder antwoord. Kies opzij in welke bronnen wordt gezocht.
site-facets = Zoekopdracht verfijnen
site-facet-type = Soort
site-facet-tag = Label
site-facet-folder = Map
site-facet-confidentiality = Vertrouwelijkheid
site-facet-year = Jaar
site-facet-revision = Revisie
site-filter-drop = Zoeken zonder { $filter }
site-found = Passages
site-found-passages = { $n ->
    [one] Eén passage
   *[other] { $n } passages
}, dichtstbijzijnde eerst
site-found-none = Er is niets gevonden.
site-ask-these = Een vraag stellen over deze bronnen

site-health-whole = Hele database controleren
site-health-whole-done = De hele database is gelezen.
site-health-good = Alles werkt.
site-health-bad = Iets vraagt uw aandacht.
site-leaves = Wat deze computer verlaat
site-leaves-nothing = Niets verlaat deze computer.
site-leaves-some = Er gaat tekst naar de adressen hieronder.
site-key = Instelling
site-value-set = Waarde
site-host = Waar
site-sent = Wat wordt verstuurd
site-index = Index
site-index-sizes = { $chunks } stukken, { $vectors } vectoren, { $pending } wachten op een vector.
site-spent = Gebruik van modellen
site-spent-total = { $n } regels in het logboek, { $tokens } tokens, ${ NUMBER($cost, minimumFractionDigits: 2, maximumFractionDigits: 2) }.
site-spent-unpriced = Van { $n } regels zijn de kosten onbekend.
site-model = Model
site-calls = Regels
site-tokens-all = Tokens
site-person = Naam
site-role = Rol
site-made = Gemaakt
site-expires = Verloopt
site-used = Laatst gebruikt
site-ended = Beëindigd
site-ended-tokens = { $n ->
    [one] Eén beëindigd token
   *[other] { $n } beëindigde tokens
}
site-revoke = Intrekken
site-revoke-of = Het token van { $name } intrekken
site-invite = Uitnodigen
site-invited = { $name } mag het project gebruiken.
site-invited-once = Stuur de link nu: hij wordt niet nog eens getoond.
site-invitation = Link waarmee men inlogt
site-expires-in = Verloopt na
site-period-12h = 12 uur
site-period-7d = 7 dagen
site-period-30d = 30 dagen
site-period-90d = 90 dagen
site-period-52w = Een jaar
site-nobody = Niemand heeft een token. Op deze computer heeft de eigenaar er geen nodig.
site-audit-promise = Wat er via deze server is gedaan, en door wie. Woorden van vragen of bronnen staan er niet in.
site-action = Handeling
site-subject = Onderwerp
site-address = Adres
site-owner = Eigenaar
site-earlier = Eerder
site-no-feedback = Niemand heeft nog een antwoord beoordeeld.
site-make-questions = Evaluatievragen van deze maken
site-make-questions-what = Goede antwoorden worden weer verwacht; foute wachten tot u zegt wat goed is.
site-questions-made = { $added } vragen toegevoegd, { $updated } bijgewerkt, { $same } ongewijzigd, { $refused } weggelaten.
site-said = Oordeel
site-answer-gone = Dit antwoord is niet meer in het logboek.
site-no-runs = Er is nog geen evaluatie gedaan.
site-run = Ronde
site-run-against = Vergeleken met
site-run-before = De vorige
site-run-asked = { $n } vragen van { $sets }.
site-run-common = { $n } daarvan zijn vergeleken met { $other }.
site-measures = Maten
site-measure = Maat
site-difference = Verschil
site-interval = 95 %-interval
site-run-changed = { $n ->
    [one] Eén vraag veranderd
   *[other] { $n } vragen veranderd
}
site-run-worse = Slechter
site-run-better = Beter
site-run-changed-one = Veranderd
site-sign-in = Aanmelden via { $provider }
site-signed-in = Aangemeld: ga verder
site-turns = { $n ->
    [one] Eén vraag
   *[other] { $n } vragen
}
site-change = Wijzigen
site-change-of = { $title } wijzigen
site-title = Titel
site-off-list = Van deze lijst halen
site-off-list-what = Het logboek bewaart wat er is gevraagd.
site-no-conversations = Geen gesprek voldoet.
site-share = Delen
site-share-with = Delen met de rol
site-share-what = Maakt een kopie die deze rol mag openen. Die moet elke bron mogen zien die het antwoord citeert.
site-tables-promise = Vragen aan elke bron. Een cel is wat de bron zegt, met plaats en woorden, of eerlijk leeg; een mens keurt haar goed, verbetert of verwerpt haar.
site-table-name = Naam
site-table-rows = Rijen
site-table-columns = Vragen
site-table-run = Laatste ronde
site-table-unfinished = Niet af
site-table-new = Nieuwe tabel
site-table-questions = Vragen, één per regel
site-table-make = Elke rij vragen
site-table-size = Het project heeft { $n } bronnen.
site-table-confirmed = Ja, zoveel vragen
site-table-step = { $done } van { $total } cellen
site-no-tables = Er zijn nog geen tabellen.
site-table-facts = { $rows } { $by ->
    [section] paragrafen
   *[source] bronnen
}, { $columns } vragen.
site-table-again = Opnieuw vragen
site-table-remove-sure = Deze tabel met antwoorden en besluiten verwijderen?
site-table-look = Woorden en besluit
site-table-right = Wat juist is
site-table-by = Uw naam
site-table-approve = Goedkeuren
site-table-correct = Verbeteren
site-table-reject = Verwerpen

site-nav-documents = Documenten
site-nav-agents = Agents
site-documents-promise = Een specificatie zegt wat een document moet bevatten, en iemand keurt haar goed. Daaruit wordt een concept geschreven, elke zin met zijn bron; iemand beoordeelt en accepteert het. Geaccepteerde concepten vormen het document voor de opdrachtgever.
site-specifications = Specificaties
site-specification = Specificatie
site-specification-draft = Concept
site-specification-approved = Goedgekeurd
site-specification-changed = Gewijzigd na goedkeuring
site-specification-broken = Niet leesbaar
site-specification-new = Nieuwe specificatie
site-specification-make = Maken
site-specification-delete = Specificatie verwijderen
site-specification-delete-sure = “{ $title }” verwijderen? Concepten die eruit geschreven zijn, blijven.
site-no-specifications = Er zijn nog geen specificaties.
site-state = Stand
site-sections = Hoofdstukken
site-sections-what = In de volgorde van het document. Wat een hoofdstuk wil, een regel per onderwerp, wordt in de bronnen gezocht. Een lege titel haalt het hoofdstuk weg. Regels van de tekst die geen hoofdstuk noemen, staan in de Markdown.
site-section = Titel van het hoofdstuk
site-section-form = Bestaat uit
site-section-wants = Wat het wil, een regel per onderwerp
site-section-add = Hoofdstuk toevoegen
site-form-any = Wat de tekst vraagt
site-form-prose = Lopende tekst
site-form-steps = Genummerde stappen
site-form-list = Een lijst
site-form-table = Een tabel
site-form-figures = Figuren
site-form-quote = Citaten
site-hierarchy = Meest vertrouwde bronnen eerst, een patroon per regel
site-hierarchy-what = Waar bronnen elkaar tegenspreken, beslist het eerste patroon dat op een past. Voorbeeld: sources/service/*
site-view = Weergave
site-view-form = Formulier
site-view-markdown = Markdown
site-markdown = Tekst, in Markdown
site-problems = Problemen
site-problem-blocks = Verhindert goedkeuring
site-problem-hint = Opmerking
site-problem-line = Regel { $line }:
site-no-problems = Er is niets mis.
site-check = Controleren
site-newer-specification = Iemand anders heeft intussen deze tekst opgeslagen. Wat u typte staat hieronder, niet opgeslagen: neem over wat u nodig hebt en sla opnieuw op om de nieuwere tekst te vervangen.
site-newer = De nieuwere tekst
site-yours = Uw tekst, niet opgeslagen
site-since-approved = Gewijzigd sinds de goedkeuring
site-approved-not-kept = Wat is goedgekeurd is hier niet bewaard, zodat geen verschil kan worden getoond.
site-approval = Goedkeuring
site-approval-what = Wie goedkeurt, zegt dat dit is wat het document moet bevatten. Een latere wijziging beëindigt de goedkeuring.
site-approval-revoke = Goedkeuring intrekken
site-approved-by = Goedgekeurd door { $by }
site-by-agent = Nieuw document van een agent
site-topic = Waar het document over gaat
site-none = Geen
site-plan = Plannen
site-plan-of = { $title } plannen
site-plan-title = Plan: { $topic }
site-plan-promise = Waar het document op zou rusten. Er is nog niets geschreven.
site-plan-cost = { $n } hoofdstukken, { $tokens } tokens aan prompts; het venster van het model heeft { $window }.
site-plan-quoted = De hoofdstukken bestaan uit zinnen van de bronnen: er wordt geen taalmodel gevraagd en niets uitgegeven.
site-plan-used = Het plannen kostte { $n } aanroepen en { $tokens } tokens.
site-plan-tight = De prompts vullen bijna het hele venster van het model.
site-no-other-text = Er is nog geen andere tekst van geweest.
site-plan-conflicts = { $n ->
    [one] De bronnen spreken elkaar op één plaats tegen
   *[other] De bronnen spreken elkaar op { $n } plaatsen tegen
}
site-plan-gap = Geen bewijs
site-plan-needs = Nodig zou zijn: { $needs }
site-plan-left-out = { $n } passages passen niet in het venster van het model.
site-write = Concept schrijven
site-write-again = Opnieuw schrijven
site-write-over = Het bestaande concept vervangen; als iemand het bewerkte, blijft een kopie bewaard
site-write-fresh = Ook ongewijzigde hoofdstukken opnieuw schrijven
site-write-step = % hoofdstukken
site-write-lost = De verbinding is verbroken. Wat geschreven is, blijft bewaard: schrijf opnieuw om verder te gaan.
site-write-stopped = Gestopt. Voltooide hoofdstukken blijven bewaard voor de volgende keer.
site-drafts = Concepten
site-draft = Concept
site-draft-as-written = Te beoordelen
site-draft-edited = Bewerkt, te beoordelen
site-draft-missing = Bestand is weg
site-draft-check = Alle zinnen controleren
site-draft-compare = Wat veranderde
site-draft-count = Zinnen: { $total }; te bekijken: { $doubted }; open opmerkingen: { $remarks }.
site-draft-gaps = Wat er niet in staat
site-no-drafts = Er is nog niets geschreven.
site-written = Geschreven
site-coverage = Geverifieerd bij het schrijven
site-percent = { $n } %
site-remarks-open = Open opmerkingen
site-accepted-by = Geaccepteerd door { $by }
site-stale = Verouderd
site-not-checked = Niet gecontroleerd
site-edited = Bewerkt
site-edit = Bewerken
site-edit-of = { $title } bewerken
site-edit-what = Zinnen die u wijzigt, worden bij het opslaan tegen de bronnen gecontroleerd. Tekens als [^1] zijn de bronverwijzingen.
site-save-check = Opslaan en controleren
site-newer-draft = Iemand anders wijzigde intussen dezelfde regels. Er is niets verloren: neem over wat u nodig hebt uit de nieuwere tekst en sla opnieuw op om die door de uwe te vervangen.
site-remark = Opmerking
site-remark-on = Opmerking bij zin { $n }
site-remark-text = Opmerking
site-remark-add = Opmerking toevoegen
site-remark-resolve = Afgehandeld
site-remark-reopen = Weer openen
site-remark-resolved = afgehandeld door { $by }
site-remark-changed = Gemaakt bij:
site-remarks-lost = Opmerkingen bij zinnen die weg zijn
site-acceptance = Acceptatie
site-acceptance-what = Wie accepteert, zegt dat het concept zoals het nu is naar de opdrachtgever mag. Een latere wijziging beëindigt dat.
site-acceptance-owner = De eigenaar van het project accepteert concepten.
site-acceptance-note = Notitie
site-accept = Accepteren
site-unchecked = Deze zinnen kon niemand controleren. Ik heb ze gelezen en accepteer ze:
site-compared-with = Vergeleken met
site-diff-count = Verschillen: { $changes }; gelijke zinnen: { $same }.
site-version-written = zoals geschreven
site-version-saved = zoals bewerkt
site-version-now = nu
site-delivery = Oplevering
site-delivery-what = Het document voor de opdrachtgever bestaat uit alle geaccepteerde concepten, met omslag, inhoudsopgave en bronnenlijst.
site-build = Maken en downloaden
site-build-blocked = Het kan nog niet gemaakt worden:
site-build-nothing = Er is geen specificatie goedgekeurd, en geen concept van een agent geaccepteerd.
site-build-stale = Toch maken, al zijn delen verouderd
site-built = Laatste bestanden
site-format = Formaat
site-format-docx = Word
site-format-pdf = PDF
site-format-html = HTML
site-format-md = Markdown
site-agents-promise = Een agent zegt wat een soort tekst bevat en hoe die geschreven wordt. Foundry brengt er enkele mee; het project kan eigen agents hebben.
site-agent-output = Schrijft
site-agent-for = Waarvoor
site-agent-from = Bestand
site-agent-shipped = Hoort bij Foundry
site-agent-file = Het bestand
site-agent-copy = Kopiëren
site-agent-new-name = Naam van de kopie
site-agent-delete = Agent verwijderen
site-agent-delete-sure = De agent { $name } verwijderen?
site-output-answer = Antwoorden
site-output-document = Documenten
site-remarks-left = { $n ->
    [one] Er is nog één opmerking open.
   *[other] Er zijn nog { $n } opmerkingen open.
}
site-revisions = Revisies van dit document
site-revision-current = Huidig
site-link = Dit is een nieuwere versie van een andere bron
site-link-older = De oudere bron
site-unlink = Niet hetzelfde document
site-unlink-of = { $path } is niet hetzelfde document
site-nav-questions = Vragen
site-progress = Voortgang
site-run-step = { $done } van { $total } vragen
site-work-lost = De verbinding is verbroken. Wat gedaan is, blijft bewaard; deze pagina probeert het elke seconde opnieuw.
site-run-goes-on = U kunt deze pagina sluiten: de evaluatie gaat door, en de pagina toont haar als u terugkomt.
site-run-broken-off = De ronde { $name } is gestopt na { $done } van { $of } vragen.
site-run-continue = Ga verder
site-run-set = Verzameling
site-run-all = Alle ({ $n })
site-run-search = Alleen zoeken, geen antwoorden schrijven
site-run-now = Evalueer
site-run-free = Er wordt geen model gebruikt: de vragen kosten niets.
site-no-questions = Er zijn nog geen evaluatievragen.
site-make-set = Maak er een paar
site-drafts-wait = { $n ->
    [one] Eén voorgestelde vraag wacht op beoordeling
   *[other] { $n } voorgestelde vragen wachten op beoordeling
}
site-runs = Rondes
site-run-errors = Fouten
site-milliseconds = { NUMBER($n, useGrouping: 1) } ms
site-figure-latency-p50-ms = Mediane tijd
site-figure-latency-p95-ms = 95 % binnen
site-figure-latency-max-ms = Langste
site-figure-retrieval-p50-ms = Zoeken, mediaan
site-figure-retrieval-p95-ms = Zoeken, 95 % binnen
site-figure-tokens = Tokens
site-figure-cost = Kosten
site-curve = Weigeringen en foute antwoorden
site-curve-title = Deel van de vragen dat ten onrechte geweigerd wordt, en dat geen juist antwoord toont, per drempel van de poort
site-curve-chosen = Bij de gebruikte drempel, { NUMBER($threshold, minimumFractionDigits: 2) }, zijn { $refused } van { $answerable } vragen met een antwoord geweigerd, en toonden { $wrong } van de { $passed } doorgelaten vragen geen juist antwoord.
site-curve-threshold = Drempel
site-curve-refused = Geweigerde vragen met een antwoord
site-curve-wrong = Getoond zonder juist antwoord, van alle vragen
site-curve-used = In gebruik: { NUMBER($threshold, minimumFractionDigits: 2) }
site-curve-in-use = in gebruik
site-curve-rules = Een regel weigert { $n } van de vragen bij elke drempel, zoals vragen over iets dat geen bron noemt.
site-curve-table = De cijfers
site-curve-refused-wrongly = Ten onrechte geweigerd
site-curve-refused-rightly = Terecht geweigerd
site-curve-passed-wrongly = Getoond zonder juist antwoord
site-curve-passed = Doorgelaten
site-questions-promise = Een evaluatie stelt vragen waarvan het antwoord bekend is. Laat er een aantal voorstellen uit de bronnen, maak vragen van oordelen, of importeer een bestand op de opdrachtregel.
site-draft-questions = Stel vragen voor uit de bronnen
site-draft-by-model = Een taalmodel stelt 20 vragen voor, elk met de woorden die haar beantwoorden.
site-draft-from-tables = Zonder taalmodel komen voorgestelde vragen alleen uit tabellen.
site-draft-step = { $done } van { $total } passages
site-draft-unanswerable = Geen bron hoort dit te beantwoorden.
site-drafts-read = Accepteer wat een lezer zou vragen en wat de aangehaalde woorden beantwoorden. Voorgestelde vragen tellen pas als ze geaccepteerd zijn.
site-drafts-accept = Accepteer de aangevinkte
site-drafts-reject = Verwijder de aangevinkte
site-sets = Verzamelingen
site-set-answerable = Met antwoord
site-set-unanswerable = Zonder antwoord
site-set-waiting = Te beoordelen
site-start = Voeg de documenten toe waaruit vragen beantwoord moeten worden. Niets verlaat deze server, tenzij er een model elders is ingesteld.
site-start-reading = De bestanden worden gelezen. Vragen om mee te beginnen verschijnen hier.
site-start-asking = Zoekt vragen die uw bestanden beantwoorden …
site-suggest = Stel vragen voor
site-start-invite = Nodig een collega uit
site-invited-here = De link leidt alleen naar deze computer. Wilt u anderen toelaten, stel dan web.host en web.hosts in foundry.yaml in en start de server opnieuw.
site-table-row = Rijen
site-table-by-source = Bronnen
site-table-by-section = Hoofdstukken en paragrafen
site-table-goes-on = U kunt deze pagina sluiten: de tabel gaat door, en wat klaar is, blijft bewaard.
site-projects = Projecten
site-project = Project
site-chunks-head = Chunks
site-folder = Map
site-projects-words = Deel van de naam van de map
site-projects-shown = { $shown } van { $all }
site-projects-next = Volgende
site-projects-none = Er is geen project dat u mag openen.
site-projects-not-found = Geen projectmap heeft dit in de naam.
site-projects-skipped = { $n ->
    [one] { $n } map wordt niet aangeboden
   *[other] { $n } mappen worden niet aangeboden
}
site-give-role = Rol geven
site-give-role-help = De persoon logt in met een token van deze server of via de identityprovider, en heet zoals daar. Wie in alle projecten een rol heeft, staat niet in de lijst.
site-withdraw = Intrekken
site-withdraw-of = De rol van { $name } intrekken
site-nobody-here = Niemand heeft een rol in alleen dit project.
