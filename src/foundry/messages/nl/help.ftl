# De hulpteksten van de opdrachten, in dezelfde vorm als en/help.ftl.

help-option = -
    .by = Uw naam.  [standaard: user.name van git, of die van het systeem]
    .filter = Alleen bronnen met type=pdf, tag=…, source=PAD, folder=…, confidentiality=…, revision=…, from=2026-01-31, to=…; herhaalbaar.
    .revision = Welke revisies worden doorzocht: all, of die van een merk of datum; standaard: de huidige.
    .help = Toon deze tekst en stop.
    .version = Toon de versie en stop.
    .json = Druk één JSON-document af.
    .language = Taal van de meldingen.  [standaard: die van het project, anders en]
    .mode = Zoekwijze.  [standaard: retrieval.mode]
    .project = Projectmap.  [standaard: de huidige map]
    .quiet = Toon alleen resultaten en fouten.
    .role = Zie alleen wat deze rol mag zien; ten hoogste access.role, tevens de standaard.
    .server = Stel de vraag aan deze server; het token staat in FOUNDRY_TOKEN.
    .set = Alleen deze set; herhaalbaar.
    .since = Eerste dag.
    .verbose = Toon meer; -vv voegt tracebacks toe.
    .yes = Overschrijf een bestaand bestand zonder te vragen.

help-foundry = Antwoorden en documenten uit uw eigen bronnen, met een bronvermelding bij elke bewering.
    .epilog =
        Om te beginnen: voer `foundry init` uit, zet bestanden in sources/, voer `foundry ingest` uit
        en daarna `foundry ask "…"`. Elke opdracht kent --help en --json.

        Aanvullen in bash (zsh en fish werken net zo):

            eval "$(_FOUNDRY_COMPLETE=bash_source foundry)"
help-init =
    Maak hier of in DIR een project.

    Schrijft een foundry.yaml met toelichting en de mappen sources/, features/ en output/, en
    overschrijft niets. Zonder --offline of --online worden de modellen gekozen naar wat er is: een
    API-sleutel in de omgeving, een modelserver op deze machine (Ollama, LM Studio, llama.cpp of
    vLLM op zijn gewone poort), en anders de ingebouwde modellen.
    .offline = Gebruik alleen modellen op deze machine.
    .online = Gebruik de modellen van een aanbieder; vereist een API-sleutel.
help-doctor =
    Controleer de inrichting en stel oplossingen voor.

    Controleert de configuratie, de database, de modellen en hun sleutels, OCR en de schijf, en
    verandert niets. Eindigt met 1 als een controle mislukt.
help-models =
    Toon welk model elke stap gebruikt: waar het draait, of het antwoordt, zijn venster en zijn prijs.

    Modellen op deze machine worden bij hun server opgezocht; een model elders wordt alleen met
    --check aangeroepen. De controle duurt ongeveer een minuut: de schrijver beantwoordt vragen in
    het Engels en Nederlands uit gegeven passages, en moet weigeren wat zij niet beantwoorden; de
    beoordelaar leest beweringen waarvan er enkele een ingebouwde fout hebben. Eindigt met 1 als een
    model niet geschikt is.
    .check = Roep de modellen aan, en zeg of ze geschikt zijn om te schrijven en te oordelen.
help-version = Toon versienummers.
help-ingest =
    Lees nieuwe en gewijzigde bestanden.

    PATH is een bestand of map binnen het project; standaard sources/. Tekst is doorzoekbaar zodra
    die gelezen is; de vectoren volgen. Een bestand dat mislukt wordt met de reden gemeld, en de
    andere worden gewoon gelezen; `foundry sources` noemt het tot het gelezen kan worden. De
    status is 1 als elk genoemd bestand mislukte. Een onderbroken ingest gaat verder waar hij was.

    Boven models.confirm_tokens of models.confirm_cost wordt eerst toestemming gevraagd voordat
    taalmodellen worden aangeroepen. Zonder terminal om op te vragen worden de ingebouwde prefixen
    en samenvattingen gebruikt.
    .prune = Verwijder bronnen waarvan het bestand niet meer bestaat.
    .watch = Blijf draaien en verwerk elke wijziging, tot Ctrl-C.
    .tag = Label deze bronnen; herhaalbaar.
    .confidentiality = Vertrouwelijkheid van deze bronnen; nieuwe bronnen zijn standaard openbaar.
    .strict = Eindig met 1 als een bestand, prefix of samenvatting mislukte.
    .yes = Roep modellen aan zonder bevestiging te vragen.
    .no-wait = Mislukt als er al een ingest van dit project loopt; wacht met --enqueue ook niet op de workers.
    .enqueue = Laat het lezen over aan workers (`foundry work`), en wacht tot ze klaar zijn.
    .ray = Lees en embed op een Ray-cluster: HOST:POORT, of local om er een op deze machine te starten.
help-work = Lees bestanden die `foundry ingest --enqueue` aan workers overlaat.
help-work-run =
    Lees wachtende bestanden tot Ctrl-C.

    Start er zoveel als u wilt, op elke machine die de map van het project heeft en bij de
    database kan. Een bestand waarvan de worker stopt of hangt, wordt door een andere opgepakt;
    na drie pogingen, of een uur, geldt het als mislukt. Met --ray worden bestanden van meerdere
    taken tegelijk gelezen op de nodes van een cluster; dit proces houdt dan de taken bij en
    bewaart wat er gelezen is.
    .drain = Stop als er geen bestand meer wacht.
    .yes = Roep modellen aan zonder om bevestiging te vragen.
    .ray = Lees en embed op een Ray-cluster: HOST:POORT, of local om er een op deze machine te starten.
    .projects = Doe de taken van alle projecten in deze map, om de beurt; een project dat mislukt, wordt overgeslagen.
help-work-list = Toon alle taken (wachtend, bezig en afgelopen) en de workers die draaien.
help-work-cancel =
    Annuleer wat wacht en bezig is.

    PATH is een bestand zoals `foundry work list` het toont; zonder wordt alles geannuleerd.
    Bestanden die al bewaard zijn, blijven.
help-sources = Toon of verwijder bronnen.
help-sources-list =
    Toon bronnen met type, pagina's, chunks en tags.

    Daaronder staan de bestanden die mislukten of werden overgeslagen, met de reden. Toestanden: read,
    warned (gelezen met waarschuwingen), waiting, failed, left_out, new (in de map en nog niet gelezen),
    changed en gone (vergeleken met de bestanden).
    .search = Alleen bronnen met al deze woorden in pad, titel, revisie of tags.
    .type = Alleen bronnen van dit type: pdf, docx …
    .tag = Alleen bronnen met deze tag.
    .folder = Alleen bronnen in deze map en daaronder.
    .confidentiality = Alleen bronnen met deze vertrouwelijkheid.
    .status = Alleen bronnen met deze status.
    .state = Alleen bestanden in deze toestand.
    .short = Toon bronnen.
help-sources-diff =
    Toon wat een revisie anders zegt dan een andere, per zin en per cel.

    OLD en NEW zijn paden of id's; zonder OLD is het de revisie voor NEW. Over de betekenis van een
    wijziging wordt niets gezegd.
help-sources-link =
    Zeg dat de ene bron de andere herziet.

    NEW en OLD zijn paden of id's. Het gaat voor wat herkend werd; van een reeks wordt de huidige
    revisie doorzocht, en de andere met `--revision all`.
    .reason = Waarom; de lijst toont het.
    .by = Wie het zegt. Standaard: de naam die git kent.
    .short = Zeg dat de ene bron de andere herziet.
help-sources-unlink =
    Zeg dat twee bronnen geen revisies van één document zijn.

    NEW en OLD zijn paden of id's; een reeks wordt ertussen geknipt, en beide einden worden doorzocht.
    .reason = Waarom.
    .by = Wie het zegt. Standaard: de naam die git kent.
    .short = Zeg dat twee bronnen geen revisies van één document zijn.
help-sources-remove = Verwijder bronnen uit het project. SOURCE is een pad of id.
    .files = Verwijder ook hun bestanden.
    .short = Verwijder bronnen uit het project.
help-sources-set =
    Zet de status, tags of vertrouwelijkheid van bronnen.

    SOURCE is een pad of id; `--filter` noemt in plaats daarvan alle die passen. De status die u zet
    gaat voor die in het document; as_read herstelt die. Van meer bronnen worden die niet te wijzigen
    zijn genoemd met de reden, en de andere gewijzigd.
    .filter = Alle bronnen met type=pdf, tag=…, folder=…; herhaalbaar.
    .status = draft, proposal, final, superseded, archived, withdrawn, of as_read.
    .tag = Tag de bronnen; herhaalbaar, vervangt hun tags.
    .add-tag = Voeg een tag toe; herhaalbaar.
    .remove-tag = Haal een tag weg; herhaalbaar.
    .confidentiality = Vertrouwelijkheid van de bronnen.
    .short = Zet de status, tags of vertrouwelijkheid van bronnen.
help-sources-show = Toon een bron: samenvatting, waarschuwingen en paragrafen. SOURCE is een pad of een id.
    .short = Toon een bron: samenvatting, waarschuwingen en paragrafen.
    .tables = Toon de tabellen, elke waarde met de labels van rij en kolom.
    .csv = Schrijf de tabellen als CSV, een regel per waarde.
help-correction = Verbeter wat in een bron verkeerd gelezen is.
help-correction-add =
    Verbeter woorden, een kop of een tabel in een bron.

    SOURCE is een pad of een id. WORDS zijn die van de bron zoals ze gelezen is, zoals
    `foundry correction blocks` ze toont; --block kiest één blok als ze in meer staan, of een
    heel blok. Met --block N toont het een tabel als raster: rijen hebben nummers en kolommen
    letters, voor --row en --cell. Die blijven wat ze zijn, wat er ook verbeterd wordt. Zeg met
    één optie wat er hoort te staan:

        foundry correction add SOURCE "l6 mm" --read "16 mm" --reason "in druk staat 16"
        foundry correction add SOURCE "3.2 Intervallen" --heading 2 --reason "gedrukt als kop"
        foundry correction add SOURCE --block 14 --header-rows 2 --reason "eenheden in rij 2"
        foundry correction add SOURCE --block 14 --header-columns 2 --reason "soort en maat"
        foundry correction add SOURCE --block 14 --span B1:D1,E1:F1 --reason "in druk één cel"
        foundry correction add SOURCE --block 14 --cell B3 --read 16 --reason "in druk staat 16"
        foundry correction add SOURCE --block 14 --row 7 --drop --reason "een watermerk"
        foundry correction add SOURCE --block 14 --row 7 --split --reason "een andere tabel"
        foundry correction add SOURCE --block 14 --merge --reason "gaat door op de volgende pagina"

    Een rij die als geheel verkeerd gelezen is geeft u opnieuw, met "|" tussen de cellen en een
    --read voor elke rij die ze in druk is:

        foundry correction add SOURCE --block 14 --row 1 --read "Deel | Massa" --read "Pomp | 12"

    Het bestand blijft zoals het is. De bron wordt meteen opnieuw geïndexeerd, en elk antwoord en
    document dat de plaats citeert zegt wat er verbeterd is. De verbetering blijft als hetzelfde
    bestand opnieuw gelezen wordt. `foundry sources show SOURCE --tables` toont wat de tabellen
    dan zeggen.
    .short = Verbeter woorden, een kop of een tabel.
    .block = Nummer van het blok.
    .cell = Een cel van de tabel van het blok, zoals B3.
    .row = Een rij van de tabel van het blok, zoals 3, of meer, zoals 3-5.
    .read = Wat de woorden, de cel of de rijen in druk zeggen.
    .drop = Laat de rijen weg.
    .heading = Niveau van de kop, 1 tot 6, of "text" voor wat er geen is.
    .header-rows = Hoeveel eerste rijen van de tabel de kolommen benoemen, 0 voor geen; of welke rijen dat doen, zoals 3-4.
    .header-columns = Hoeveel eerste kolommen van de tabel de rijen benoemen; 0 voor geen.
    .span = Cellen van de tabel die er één zijn, van de eerste tot de laatste, zoals B1:D1,E1:F1.
    .split = Bij de rij begint een andere tabel.
    .merge = De volgende tabel hoort bij deze.
    .reason = Waarom: hoe u weet dat het verkeerd gelezen is.
    .dry-run = Toon wat er zou veranderen, en de antwoorden en concepten die het citeren; verander niets.
help-correction-blocks =
    Toon de blokken van een bron zoals ze gelezen is, met hun nummers.

    WORDS beperkt de lijst tot blokken met deze woorden. Een tabel die als enige getoond wordt
    krijgt een raster, met de nummers en letters van rijen en kolommen.
    .page = Alleen blokken van deze pagina.
    .block = Alleen het blok met dit nummer.
help-correction-list =
    Toon verbeteringen, van één bron of alle.

    Een die niet meer geldt, omdat het bestand veranderd is, blijft bewaard en zegt waarom.
help-correction-remove = Maak een verbetering ongedaan. ID is de id, of het begin ervan.
    .short = Maak een verbetering ongedaan.
help-correction-show = Toon een verbetering. ID is de id, of het begin ervan.
    .short = Toon een verbetering.
help-search =
    Zoek passages zonder een antwoord te schrijven.

    Toont elke treffer met zijn relevantie (0 tot 1) en zijn plaats in dense en BM25, en of de
    poort een antwoord zou toelaten. Geef - als QUERY om van standaardinvoer te lezen.
    .exact = Vergelijk elke vector, ook in een grote index.
    .top-k = Aantal treffers.  [standaard: retrieval.top_k]
    .explain = Ook wat van de treffers zou worden gelezen, en waarmee HyDE zocht; kan modellen aanroepen.
help-ask =
    Beantwoord een vraag uit de bronnen.

    Elke zin noemt de passage die hem onderbouwt. Bevatten de bronnen het antwoord niet, dan wordt
    geen model aangeroepen, zegt de uitvoer wat ontbreekt, en is de exitstatus 3.
    Geef - als QUESTION om van standaardinvoer te lezen.
    .all = Lees elke passage die een item kan bevatten, voor "hoeveel", "welke" of "noem alle".
    .exact = Vergelijk elke vector, ook in een grote index.
    .agent = De agent die antwoordt; `foundry agent list` toont ze.
    .stream = Toon elke zin zodra hij gecontroleerd is.
help-chat =
    Stel een reeks vragen.

    Een vervolgvraag ("en het gewicht?") wordt aangevuld vanuit de vraag ervoor, door het model of
    door woorden over te nemen. De poort beoordeelt elke vraag, en eerdere antwoorden zijn nooit
    bewijs. Leest één vraag per regel; met --json is elke beurt één regel JSON.
help-table =
    Stel elke bron dezelfde vragen, en beoordeel de antwoorden.

    Rijen zijn bronnen, kolommen zijn vragen. Een cel is een antwoord met citaat en plaats, of
    zegt dat er niets is gevonden. `foundry table vragen.csv` voert een tabel uit.
help-table-run =
    Stel elke bron elke vraag, en bewaar de antwoorden.

    QUESTIONS is een bestand (.txt met een vraag per regel, .csv of .xlsx met een kolom vragen) of de
    naam van een bewaarde tabel:

        foundry table vragen.csv --filter tag=leverancier --output leveranciers.xlsx

    Een cel is wat `foundry ask` in die bron alleen vindt: een gecontroleerd antwoord van een model, of
    zonder model de rij of zin van de bron zelf, een passage om te lezen, of niets. Wat bekend is,
    wordt niet opnieuw gevraagd; een afgebroken run gaat verder met dezelfde opdracht. Wat iemand
    over een cel besliste, blijft staan.
    .short = Stel elke bron elke vraag.
    .name = Naam van de tabel.  [standaard: die van het bestand]
    .by = Wat een rij is: een bron, of een paragraaf van een bron.
    .jobs = Cellen die tegelijk worden gevraagd.
    .fresh = Vraag ook opnieuw wat bekend is.
    .many = Ja, meer dan 1.000 cellen zijn de bedoeling.
    .output = Schrijf de tabel naar dit bestand: .csv, .xlsx, .docx of .html.
help-table-list = Toon de bewaarde tabellen, de laatste eerst.
help-table-show =
    Toon een bewaarde tabel, of schrijf die naar een bestand.

    Wat sinds de vorige run veranderde, of sinds iemand besliste, staat naast de cel.
    .short = Toon een bewaarde tabel.
    .output = Schrijf die naar dit bestand: .csv, .xlsx, .docx of .html.
help-table-review =
    Keur een cel goed, verbeter die of wijs die af, op naam.

    SOURCE is het pad of de id van een rij, QUESTION een kolom: de vraag of het nummer ervan.

        foundry table review leveranciers sources/a.pdf 3 --correct "24 V DC"

    De beslissing geldt, wat latere runs ook vinden; die tonen wat sindsdien veranderde.
    .short = Keur een cel goed, verbeter die of wijs die af.
    .approve = Wat de cel zegt klopt; bij een lege, dat de bron geen antwoord heeft.
    .correct = Wat er moet staan.
    .reject = Wat de cel zegt is fout, en er komt niets voor in de plaats.
    .again = Beslis opnieuw waar iemand heeft beslist.
help-table-remove = Verwijder een tabel met antwoorden en beoordelingen.
help-feature = Schrijf documentspecificaties en keur ze goed.
help-feature-approve =
    Keur een specificatie goed.

    Documenten worden alleen uit goedgekeurde specificaties geschreven. Wie goedkeurde, wanneer, en
    een hash van de inhoud komen in het bestand zelf; elke latere wijziging maakt de goedkeuring
    ongeldig.
help-feature-check =
    Toon de problemen in één of alle specificaties.

    Elk probleem staat bij zijn regelnummer, met een oplossing. Eindigt met 1 als iets de goedkeuring tegenhoudt; tips doen dat niet.
help-feature-diff =
    Toon wat een specificatie anders zegt dan wat het laatst is goedgekeurd.
help-feature-list = Toon alle specificaties met hun status en goedkeuring.
help-feature-new =
    Maak features/NAME.md, een sjabloon met toelichting om in te vullen.

    NAME bestaat uit letters, cijfers, - en _. Een bestaand bestand wordt niet overschreven.
    .title = Titel van het document.  [standaard: NAME]
    .owner = Wie verantwoordelijk is voor het document.
help-feature-revoke = Trek de goedkeuring van een specificatie in.
help-feature-show = Toon een specificatie met haar status en problemen.
help-verify =
    Controleer een tekst tegen de bronnen, bewering voor bewering.

    FILE mag elk formaat hebben dat ingest leest en hoeft niet bij het project te horen; - leest
    Markdown of platte tekst van standaardinvoer. Regels zeggen ✓ letterlijk, ✗ weersproken of ≠
    verkeerd toegeschreven (letterlijk, in een andere bron of op een andere pagina dan de tekst
    noemt). De rest is aan u (? lees deze, met de dichtstbijzijnde passages) of aan de
    beoordelaar, een model dat zegt: onderbouwd, deels of niet; wat het niet beoordeelde,
    bijvoorbeeld door een uitgavenlimiet, wordt gezegd. Regels die Foundry zelf aan een document
    toevoegt, zoals die over tegenstrijdigheden, worden overgeslagen. Eindigt met 1 als de dekking
    lager is dan validation.min_attribution. -v toont ook onderbouwde beweringen.

    --format sarif is voor codehosts en editors; docx schrijft een kopie van een Word-bestand
    met een opmerking bij elke zin die niet ✓ is, en verandert verder niets.
    .judge = Model dat oordeelt over wat de regels openlaten; same is het model dat schrijft, none is niemand.  [standaard: validation.verifier]
    .format = Vorm van het verslag; --json is kort voor json.  [standaard: text]
    .output = Bestand voor het verslag, in de huidige map of een toegestane; docx heeft er een nodig.
help-generate =
    Schrijf een document met bronvermelding uit een goedgekeurde specificatie, of zoals een agent zegt.

    Elke bewering heeft een voetnoot naar de passage die haar onderbouwt; een paragraaf zonder bewijs
    wordt als zodanig gemarkeerd. Paragrafen waarvoor sinds de vorige keer niets veranderde worden
    hergebruikt. Tegenstrijdigheden tussen bronnen worden getoond voordat het schrijven begint; wat een
    beoordelaar moet nakijken staat aan het eind. Bevatten de bronnen voor geen enkele paragraaf iets,
    dan wordt geen bestand geschreven en is de exitstatus 3.
    .topic = Onderwerp van het document; - leest standaardinvoer.
    .output = Markdownbestand om te schrijven, in de huidige map of een toegestane map.
    .feature = Goedgekeurde specificatie om te gebruiken; mag weg als er maar één is.
    .agent = De agent die schrijft, zoals blueprint; dan is er geen specificatie nodig.
    .dry-run = Toon treffers, scores, tegenstrijdigheden, budget en prompts; schrijf niets.
    .fresh = Schrijf alle paragrafen opnieuw, ook de ongewijzigde.
help-agent =
    Toon, kopieer en controleer agents.

    Een agent zegt hoe een tekst wordt geschreven: zijn paragrafen en wat daarvoor te zoeken, persona,
    modelprofiel, temperatuur en lengte. Foundry heeft er enkele; die van het project zijn
    agents/NAME.yaml.
help-agent-list = Toon alle agents met hun uitvoer, model en titel.
help-agent-show = Toon een agent met zijn persona en paragrafen.
help-agent-new =
    Kopieer een agent naar agents/NAME.yaml, om hem te wijzigen.

    NAME bestaat uit kleine letters, cijfers, - en _. Een bestaand bestand wordt niet overschreven.
    .from = De agent om te kopiëren.
help-agent-check =
    Controleer de bestanden van één of alle agents.

    Elk probleem staat er met zijn regel. De exitstatus is 1 als een bestand niet klopt, of als een
    profiel geen model heeft.
help-draft = Toon, controleer en accepteer gegenereerde concepten.
help-draft-accept =
    Accepteer een concept zoals het bestand nu is.

    DRAFT is een pad of de naam van een feature. Een bewerkt concept wordt eerst
    gecontroleerd: wat de bronnen niet ondersteunen wordt geweigerd, en beweringen die Foundry
    niet kan controleren worden u voorgelegd; het document noemt ze niet gecontroleerd. Een
    verouderd concept wordt geweigerd. De laatste acceptatie telt.
    .note = Een opmerking bij de acceptatie.
    .yes = Accepteer beweringen die niet te controleren zijn zonder te vragen.
help-draft-diff =
    Toon wat een concept anders zegt dan de vorige keer dat het werd geschreven, zin voor zin.

    DRAFT is een pad of de naam van een specificatie. OTHER is een ander concept, of de hash van een tekst die DRAFT had.
help-draft-impact =
    Toon welke aanhalingen in concepten en bewaarde antwoorden niet meer in een bron staan.

    SOURCE is een pad of een id. Aanhalingen van oudere revisies ervan tellen mee. Eindigt met 1 als
    woorden zijn gewijzigd of verdwenen.
    .all = Ook aanhalingen waarvan de woorden er nog staan.
help-draft-list = Toon concepten met status, dekking en acceptatie, nieuwste eerst.
    .feature = Alleen concepten van deze feature.
help-draft-notes = Toon de opmerkingen van beoordelaars bij een concept.
help-draft-show =
    Toon een concept met zijn status, paragrafen en bronnen.

    DRAFT is een pad, of de naam van een feature voor het nieuwste concept daarvan.
help-draft-verify =
    Controleer de voetnoten en beweringen van een bewerkt concept.

    DRAFT is een pad of de naam van een feature. Eindigt met 1 als iets niet klopt: een verwijzing
    zonder voetnoot, een citaat dat niet in zijn bron staat, of een bewering die haar bron niet
    onderbouwt. -v toont ook de onderbouwde beweringen.
help-build =
    Stel het document voor de klant samen uit alle geaccepteerde concepten.

    Het document bevat het laatste geaccepteerde concept van elke goedgekeurde feature, dan wat
    agents zonder feature schreven, op pad, met een omslag, inhoud, één notenlijst, een
    bronnenregister, dekking en tegenstrijdigheden. Houdt iets het samenstellen tegen, dan wordt
    elke reden genoemd: een feature zonder geaccepteerd concept; een concept, specificatie of bron
    die sindsdien veranderde; foute voetnoten; te weinig dekking.
    .output = Bestand om te schrijven; meer formaten delen de naam.  [standaard: de projectnaam, in output.dir]
    .format = Een of meer van md,docx,pdf,html.  [standaard: de extensie van --output, of alle]
    .title = Titel op de omslag.  [standaard: de projectnaam]
    .language = Taal van omslag en bijlagen.  [standaard: die van de concepten]
    .allow-stale = Maak en markeer ook een verouderd document.
    .yes = Overschrijf bestaande bestanden zonder te vragen.
help-privacy =
    Toon welke hosts de configuratie kan bereiken, en wat daarheen zou gaan.

    Er wordt niets benaderd. Wat een stap verstuurt, volgt uit zijn prompts; een sleutel van de
    andere modus staat er als niet gebruikt.
help-schema =
    Toon het JSON Schema van een --json-document.

    Zonder NAME: een lijst van de documenten en de opdrachten die ze afdrukken. Latere versies van
    Foundry kunnen sleutels toevoegen; de versie in de $id van het schema stijgt als een sleutel
    verdwijnt, een andere naam krijgt of iets anders gaat betekenen.
help-index = Toon, herbouw of controleer de zoekindexen.
help-index-rebuild = Herbouw de tekstindex uit de chunks; met --embeddings ook de vectoren.
    .embeddings = Bereken elke vector opnieuw. Tot het einde gebruiken zoekacties de eerdere
        vectoren, dus de schijf heeft ruimte voor beide nodig. Na een onderbreking gaat een
        nieuwe aanroep verder.
    .engine = Stuur elke vector opnieuw naar de zoekmachine van storage.engine_url; de tekstindex blijft.
help-index-status = Toon hoeveel van het project elke index dekt.
help-index-verify = Controleer of tabellen en indexen overeenkomen; eindig met 1 als dat niet zo is. Vergelijkt zoeken niet alle vectoren, meet dan voor `foundry index status` wat het vindt van de treffers van exact zoeken.
help-copy =
    Kopieer het project naar een andere database.

    FROM en TO zijn adressen zoals in storage.url: sqlite:///PAD of postgresql://GEBRUIKER@HOST/DATABASE.
    Bronnen, vectoren, logs, concepten, evaluatie en bewaarde antwoorden gaan mee; FROM verandert niet.
    Een onderbroken kopie gaat verder. Een database met andere inhoud van het project wordt geweigerd.
    Aan het eind wordt de kopie gecontroleerd; zet daarna storage.url op TO.
help-serve =
    Bied de webapplicatie en de HTTP-API aan.

    Op deze machine (127.0.0.1) mag iedereen die hier is ingelogd ze gebruiken. Op elk ander adres
    is een token nodig, en zonder token in het project start de server niet. Er wordt niets in een
    browser geopend; Ctrl-C stopt, na de lopende antwoorden.

    Met --projects staat elke projectmap in DIR onder /p/NAAM, voor wie er een rol in heeft
    (`foundry access`). In DIR mag server.yaml staan, met de sectie web van foundry.yaml.
    .host = Het adres.  [standaard: web.host]
    .projects = Bied alle projectmappen in DIR aan.
    .port = De poort; 0 kiest een vrije.  [standaard: web.port]
help-mcp =
    Bied het gereedschap van het project aan een taalmodel aan (Model Context Protocol).

    Het programma van het model start dit zelf, en praat ermee via standaardinvoer en -uitvoer. Het
    kan zoeken, vragen, passages lezen, bronnen opsommen, een tekst controleren en documenten
    plannen; met --role ziet het alleen wat die rol mag zien. `foundry serve` biedt hetzelfde aan
    op /mcp.
    .config = Toon als JSON wat een programma nodig heeft om dit te starten, en stop.
help-token = Laat anderen de server gebruiken.
help-token-new =
    Maak een token en toon het één keer.

    Wie het heeft, mag de server gebruiken in de rol ervan. Alleen de hash wordt bewaard: een
    verloren token is niet opnieuw te tonen, wel in te trekken.
    .role = Wat de houder mag zien.  [standaard: public; met --projects secret]
    .expires = Hoe lang het geldig is: uren, dagen of weken, zoals 12h, 30d of 8w.
    .projects = Voor de projecten in DIR, met de rollen van `foundry access`; --role is dan de hoogste.
help-token-list =
    Toon de tokens met hun rol, einddatum en laatste gebruik.
    .projects = De tokens voor de projecten in DIR.
help-token-revoke =
    Trek een token in en beëindig de sessies ervan.
    .projects = Een token voor de projecten in DIR.
help-access = Bepaal wie wat ziet op een server met meerdere projecten.
help-access-give =
    Geef iemand een rol in een project, of in alle projecten.

    De naam is die van het token, of die de identityprovider geeft. Een nieuwe rol vervangt de
    eerdere.
    .projects = De map waarin de projecten staan.
    .project = Naam van de projectmap in DIR.  [standaard: alle projecten]
    .role = Wat de persoon mag zien.
help-access-list =
    Toon wie welke rol heeft.
    .projects = De map waarin de projecten staan.
    .project = Alleen wie een rol heeft in dit project, of in alle.
help-access-withdraw =
    Trek iemands rol in een project in.

    Zonder --project vervalt de rol in alle projecten; rollen in één project blijven bestaan.
    .projects = De map waarin de projecten staan.
    .project = Naam van de projectmap in DIR.
help-log = Toon eerdere vragen en antwoorden.
help-log-cost =
    Toon wat aanroepen van modellen kosten, per dag, opdracht en model.

    Elk verzoek telt, ook van een ingest en van een mislukt antwoord; een antwoord uit de
    cache telt niet. Dagen zijn die van spending.time_zone. Alleen voor de hoogste rol.
    .until = Laatste dag, inclusief.
help-log-audit =
    Toon wat er via de server is gedaan, en door wie.

    Het spoor staat los van het logboek van vragen en bevat geen woord daarvan. Niets
    verandert het of maakt het korter.
    .limit = Hoogste aantal rijen.
    .before = Alleen rijen vóór dit nummer: de volgende pagina.
help-log-feedback =
    Leg vast of een antwoord goed was.

    ID is de id van het antwoord in `foundry log list`. De laatste beoordeling van een antwoord telt.
    `foundry eval import --feedback` maakt van beoordelingen vragen voor evaluatie.
    .correct = Of het antwoord goed was.
    .note = Wat er mis was, of het goede antwoord.
help-log-list =
    Toon vragen met hun oordeel, nieuwste eerst.

    Vragen van evaluaties worden alleen getoond met --kind eval.
    .limit = Aantal rijen.
    .kind = Alleen deze soort: ask, chat, generate, verify of eval.
    .verdict = Alleen deze uitkomst.
help-log-show = Toon een vraag met treffers, antwoord, modellen en kosten.
help-log-stats =
    Toon oordelen, dekking, latentie, tokens en kosten over de tijd.

    Dagen zijn lokale dagen en weken beginnen op maandag; een periode zonder vragen valt weg.
    Vragen van evaluaties hebben een eigen regel en tellen nergens anders mee. Een streepje
    betekent dat er niets te tellen is.
    .by = Voeg een regel per periode toe.
    .until = Laatste dag, inbegrepen.
help-eval = Meet zoeken en antwoorden op vragen met bekende antwoorden.
help-eval-run =
    Stel de opgeslagen vragen en meet de antwoorden.

    Elke vraag wordt beantwoord zoals `foundry ask` dat doet (met --retrieval-only gezocht zoals
    `foundry search`), en de uitkomst wordt meteen opgeslagen: na Ctrl-C gaat dezelfde opdracht
    verder. -o zet een sleutel voor deze run. Een sleutel die verandert wat geïndexeerd wordt, bouwt
    eenmalig een zij-index van de bronnen. Schrijf een lijst als -o ingest.chunk_tokens=200,300.
    .set = Stel alleen deze set; herhaalbaar.
    .tag = Stel alleen vragen met deze tag; herhaalbaar.
    .name = De naam van de run. Standaard: naar de sets.
    .retrieval-only = Zoek alleen; schrijf geen antwoorden.
    .override = Zet een configuratiesleutel voor deze run; herhaalbaar.
    .limit = Stel maar zoveel vragen, gelijkmatig verdeeld.
    .jobs = Hoeveel vragen tegelijk.
    .fresh = Begin opnieuw in plaats van een onderbroken run te hervatten.
    .baseline = Eindig met 1 als deze run duidelijk slechter is dan RUN.
    .fail-below = Eindig met 1 als een maat lager of onbepaald is; herhaalbaar.
    .fail-above = Hetzelfde voor maten die lager beter zijn: latency_p95_ms, errors …
    .ray = Stel de vragen op een Ray-cluster: HOST:POORT, of local om er een op deze machine te starten; --jobs bepaalt het aantal actors.
    .yes = Bouw een zij-index met modellen zonder te vragen.
help-eval-runs =
    Toon de runs, of één met zijn cijfers.

    RUN is een nummer of een naam; een naam betekent de laatste run daarvan.
    .questions = Toon een regel voor elke vraag van RUN.
    .remove = Verwijder RUN met zijn uitkomsten.
    .clear-indexes = Verwijder alle zij-indexen.
help-eval-compare =
    Vergelijk twee runs, vraag voor vraag.

    A en B zijn nummers of namen van runs. Alleen vragen die beide in dezelfde woorden en met dezelfde
    verwachtingen stelden tellen mee. Elk interval is dat van het verschil B - A (gepaarde bootstrap,
    95 %); een verandering is duidelijk als het interval 0 uitsluit.
help-eval-gate =
    Toon wat de poort bij andere drempels zou weigeren.

    RUN is een nummer of een naam. Er wordt niets gevraagd: de scores van de vragen van de ronde
    beslissen. De drempel van de ronde is gemerkt.
help-eval-add =
    Voeg een vraag met het bekende antwoord toe.

    Noem een bron bij pad, bestandsnaam of titel. --quote vindt de woorden en bewaart hun precieze
    plaats. Vragen die de bronnen niet kunnen beantwoorden zijn even nuttig: gebruik --unanswerable.
    .id = De id; standaard gemaakt uit de woorden.
    .set = De set.
    .source = Een bron met het antwoord; herhaalbaar.
    .page = De pagina in die bron, vanaf 1.
    .section = De paragraaf in die bron.
    .span = Een stuk van de tekst van een bron, in tekens; herhaalbaar.
    .quote = Letterlijke woorden uit die bron, of uit een willekeurige; herhaalbaar.
    .answer = Een goed antwoord; herhaalbaar.
    .answerable = Of de bronnen de vraag beantwoorden; een plaats of antwoord zegt dat al.
    .tag = Een tag; herhaalbaar.
    .language = nl, en …; standaard herkend.
    .note = Een opmerking voor beoordelaars.
help-eval-import =
    Importeer vragen uit bestanden of uit beoordelingen.

    FILE is JSON Lines of een JSON-lijst, CSV of een werkmap (xlsx, ods) met een rij kolomnamen, of
    een BEIR-map (queries.jsonl en qrels). De velden zijn text of vraag, id, bron, pagina, section,
    spans, citaat, antwoord of verwacht antwoord, answerable, language en tags; scheid meer bronnen of
    antwoorden in een cel met |. Geweigerde regels worden met hun regelnummer gemeld; de andere worden
    geïmporteerd.
    .set = De set om in te importeren; standaard die van de rijen, anders questions (feedback).
    .replace = Vervang opgeslagen vragen die verschillen.
    .format = Het formaat van FILE; standaard naar de naam.
    .feedback = Importeer beoordelingen van lezers over gelogde antwoorden.
    .strict = Eindig met 1 als een regel werd geweigerd.
help-eval-draft =
    Maak conceptvragen uit de bronnen, ter beoordeling.

    Het taalmodel van de modus schrijft ze, elk met een citaat uit de bron; zonder model gaan ze over
    cellen van tabellen, met hun kopjes. Onbeantwoordbare vragen gaan over een kenmerk dat in geen bron voorkomt. Niets telt mee in een run voordat het met `foundry eval accept` is geaccepteerd.
    .set = De set om ze aan toe te voegen.
    .number = Hoeveel vragen.
    .source = Alleen uit deze bron; herhaalbaar.
    .unanswerable = Hoeveel extra die geen bron beantwoordt; standaard een kwart van --number.
help-eval-list =
    Toon de opgeslagen vragen.

    Toont waar elk antwoord wordt verwacht, en telt aan het eind elke set.
    .tag = Alleen met deze tag; herhaalbaar.
    .unreviewed = Alleen concepten die nog niemand accepteerde.
    .answerable = Alleen met deze markering.
help-eval-show =
    Toon een vraag volledig.

    Met de huidige woorden van de verwachte plaatsen. ID is set/id, of alleen de id als één set het heeft.
help-eval-accept =
    Accepteer conceptvragen, of wijs ze af.

    Geaccepteerde vragen tellen mee in runs, dus lees ze eerst. ID is set/id, of alleen de id als
    één set het heeft.
    .set = De set vragen.
    .all = Alle niet-beoordeelde vragen.
    .reject = Verwijder ze juist.
help-eval-remove =
    Verwijder vragen, of een hele set.

    Eerdere runs houden de vragen zoals ze gesteld zijn.
    .set = De set vragen.
    .yes = Verwijder een hele set zonder te vragen.
help-eval-export =
    Schrijf vragen naar een bestand voor git.

    `foundry eval import FILE` leest het terug; in hetzelfde project verandert dat niets.
    .output = Het JSON Lines-bestand om te schrijven, in de huidige map of een toegestane map.
help-eval-report =
    Schrijf runs als één pagina met grafieken.

    RUN is een nummer of een naam; een naam betekent de laatste run daarvan. De andere worden met de
    eerste vergeleken. De pagina is één bestand dat niets laadt, dus te mailen, archiveren en
    printen. Ze toont wat er draaide, elke maat met het interval, grafieken, cijfers per taal en
    tag, de slechtste vragen met hun treffers, en elke vraag.
    .output = Het bestand om te schrijven. Standaard: een naam naar de runs, in output.dir.
    .worst = Hoeveel van de slechtste vragen van elke run met treffers worden getoond.
    .language = Standaard: generation.language, anders en.
help-eval-dataset =
    Meet het zoeken op een dataset in BEIR-vorm.

    DIR bevat corpus.jsonl, queries.jsonl en qrels.tsv (of qrels/*.tsv). Een map files/ met teksten
    mag corpus.jsonl vervangen, en queries mogen de plekken noemen die hen beantwoorden.
    Er is geen project nodig: de documenten komen in een bewaard project van de set, waarin elke
    query een opgeslagen vraag is en elke zoekwijze een run. -v toont alle maten.
    .keep-documents = Indexeer elk document als één chunk.
    .title = Of titels doorzocht worden.
    .arms = De zoekwijzen om te meten.
    .limit = Meet maar zoveel queries, gelijkmatig verdeeld.
    .config = Meet met deze configuratie, elk deel van foundry.yaml.
    .compare = Meet ook met deze configuratie en vergelijk query voor query; herhaalbaar.
    .strict = Eindig met 1 als een regel of query werd overgeslagen.
help-eval-calibrate =
    Stel de poort af op de eigen vragen van dit project.

    Gebruikt de opgeslagen, beoordeelde vragen die als beantwoordbaar of niet gemarkeerd zijn.
    Verschuift de scores van de poort zo dat bij retrieval.min_score ten hoogste --max-false-refusal
    van de beantwoordbare vragen wordt geweigerd, en zoveel mogelijk van de andere. Alle cijfers komen
    van vragen die de afstelling niet zag. Een betere afstelling wordt bewaard en gebruikt tot het
    embeddingmodel verandert. -v toont elke vraag.
    .set = Alleen vragen van deze set.
    .max-false-refusal = Het deel van de beantwoordbare vragen dat geweigerd mag worden.
    .folds = Delen van de kruisvalidatie.
    .dry-run = Toon het resultaat; bewaar niets.
    .yes = Bewaar ook een afstelling die niet beter is; overschrijf de uitvoer.
    .show = Toon de bewaarde afstellingen.
    .reset = Verwijder de bewaarde afstellingen en gebruik de meegeleverde constanten.
    .output = Schrijf de betrouwbaarheidsgrafiek als .svg.

help-default = Zonder opdracht wordt `{ $name }` uitgevoerd.

help-heading = -
    .usage = Gebruik
    .options = Opties
    .commands = Opdrachten
    .start = Beginnen
    .sources = Bronnen
    .questions = Vragen
    .documents = Documenten
    .team = Team
    .maintenance = Beheer
help-governor = Bewaak de branchregels van een git-repository.
help-governor-check =
    Zeg of een commando mag draaien; stopt anders met 2.

    main neemt alleen release/vX.Y.Z op, develop alleen feat/* en release/*, feat/* hoort
    wi/* op te nemen. Niemand commit rechtstreeks op main of develop. Leest zonder COMMAND wat
    een editor-agent vóór een shellcommando naar zijn hook stuurt. --project noemt de map.
    .hook = Beantwoord deze hook van git, met wat git hem stuurt.
help-governor-install =
    Schrijf de hooks van deze repository, en toon of schrijf de instellingen van een editor-agent.

    Git weigert dan wat check weigert, ook een fast-forward, een rebase of een push.
    .chain = Behoud bestaande hooks; ze draaien vóór de controle.
    .agent = Schrijf ook de instellingen van deze agent. Mag herhaald worden.
