eval-file-no-lines = Het bestand heeft geen bruikbare regel.
    .fix = Gebruik een UTF-8-bestand met één JSON-object per regel (JSON Lines).
eval-line-left-out = { $file }, regel { $line } is weggelaten: { $reason }
eval-lines-left-out = Verder weggelaten regels: { $n }.
eval-nothing-in-common = Run { $run } heeft geen vraag met deze gemeen die in dezelfde woorden en met dezelfde verwachtingen gesteld is.
    .fix = Vergelijk runs over dezelfde vragen: `foundry eval runs` toont ze allemaal.
eval-run-unfinished = Run { $run } is niet af: alleen de vragen tot nu toe worden vergeleken.
eval-kinds-differ = De ene run schreef antwoorden en de andere zocht alleen: de oordelen daarvan zijn die van de poort.
eval-same-run = Het is twee keer dezelfde run.
eval-measure-of-answers = { $measure } is een maat voor antwoorden, en --retrieval-only schrijft er geen.
    .fix = Laat --retrieval-only weg of begrens een andere maat, zoals { $other }.
eval-measure-unknown = De maat '{ $measure }' bestaat niet.
    .fix = De maten zijn: { $measures }.
eval-measure-unknown-near = De maat '{ $measure }' bestaat niet. Bedoelde u { $near }?
    .fix = De maten zijn: { $measures }.
eval-measure-higher-is-better = { $measure } is beter naarmate de waarde hoger is.
    .fix = Gebruik --fail-below { $measure }=WAARDE.
eval-measure-lower-is-better = { $measure } is beter naarmate de waarde lager is.
    .fix = Gebruik --fail-above { $measure }=WAARDE.
eval-bound-not-number = '{ $value }' is geen getal.
    .fix = Schrijf bijvoorbeeld { $option } { $measure }=0.9.
eval-set-name-invalid = '{ $name }' is geen geldige naam voor een set.
    .fix = Gebruik letters, cijfers, punten, streepjes en lage streepjes; begin met een letter of cijfer.
eval-id-invalid = De id is leeg, bevat een regeleinde of is langer dan { $limit } tekens.
    .fix = Gebruik een korte id, zoals q1.
eval-row-invalid = De waarde van { $name } is { $value }, niet { $kind ->
    [flag] waar of onwaar
    [whole] een geheel getal
    [number] een getal van 0 of meer
    [spans] paren van een begin en een later einde
   *[text] een hele tekst
}.
    .fix = { $kind ->
    [flag] Gebruik true of false.
    [spans] Gebruik [[BEGIN, EINDE], …].
   *[other] Verbeter het, of laat het weg.
}
eval-questions-repeated = Regels met de id van een eerdere vraag ({ $times }): { $names }. Met --replace telt de laatste.
eval-row-no-question = De rij heeft geen vraag.
    .fix = Voeg de vraag toe als "text".
eval-row-question-too-long = De vraag heeft { $n } tekens; de grens is { $limit }.
    .fix = Kort de vraag in. Is dit een bestand met documenten in plaats van vragen?
eval-row-contradicts-itself = De rij zegt zowel answerable als unanswerable.
    .fix = Verwijder een van de twee.
eval-row-unanswerable-with-place = De vraag is gemarkeerd als niet te beantwoorden, maar noemt een plaats met het antwoord.
    .fix = Verwijder de bronnen, of verwijder answerable: false.
eval-row-no-source = De rij heeft { $names } maar geen bron.
    .fix = Voeg "source" toe, een pad.
eval-first-few = { $names } en nog { $n }
eval-file-no-questions = Het bestand heeft geen vragen.
    .fix = Zet op elke regel één vraag: JSON-objecten, of CSV met een kopregel.
eval-file-missing = Het bestand { $file } bestaat niet.
    .fix = Controleer de naam en de map.
eval-file-unreadable = Het bestand kan niet worden gelezen: { $reason }.
    .fix = Controleer de naam en de rechten.
eval-file-not-text = { $reason }
    .fix = Geef een JSON Lines-bestand, een CSV-bestand of een BEIR-map; sla een werkmap op als CSV.
eval-file-warning = { $file }: { $warning }
eval-file-encoding = { $file } is geen UTF-8; het is gelezen als { $encoding }.
eval-file-json-list = Het bestand begint als een JSON-lijst, maar is geen JSON.
    .fix = Bewaar het opnieuw vanuit het programma dat het maakte, of schrijf op elke regel één object.
eval-refused-not-json = Het is geen JSON: { $reason } in kolom { $column }.
    .fix = Verbeter de regel: één object, zoals {"{"}"text": "…", "source": "…"{"}"}.
eval-refused-too-large = De JSON is te groot of te diep genest.
    .fix = Verbeter de regel: één object, zoals {"{"}"text": "…", "source": "…"{"}"}.
eval-refused-not-object = Het is JSON, maar geen object.
    .fix = Verbeter de regel: één object, zoals {"{"}"text": "…", "source": "…"{"}"}.
eval-refused-not-csv = Het is geen CSV: { $reason }.
    .fix = Sluit elk dubbel aanhalingsteken; verdubbel het binnen een cel.
eval-refused-cells = De rij heeft { $cells } cellen onder { $columns } kolommen.
    .fix = Zet dubbele aanhalingstekens om cellen die scheidingstekens bevatten.
eval-refused-not-judgement = Het is geen vraag-id, document-id, relevantie.
    .fix = Scheid de drie kolommen met tabs; relevantie is een geheel getal.
eval-file-empty = Het bestand is leeg.
    .fix = Voeg een kopregel toe en één rij per vraag.
eval-file-no-text-column = Het bestand heeft geen kolom text, question of query: { $header }
    .fix = Noem de kolommen in de eerste regel: id, text, source, page, answer, answerable …
eval-fields-ignored = { $file }: onbekende velden zijn overgeslagen: { $names }.
eval-folder-no-queries = De map heeft geen queries.jsonl.
    .fix = Geef een map met queries.jsonl en qrels.tsv (of qrels/*.tsv), of een bestand.
eval-judgements-unanswerable = { $file }: oordelen over vragen die als niet te beantwoorden gemarkeerd zijn, zijn weggelaten ({ $n }): { $names }.
eval-judgements-unknown = { $file }: oordelen over vragen die in queries.jsonl ontbreken ({ $n }): { $names }.
eval-folder-no-qrels = { $file }: zonder qrels.tsv of qrels/*.tsv heeft geen vraag een verwachte bron.
eval-path-is-folder = Dit is een map.
    .fix = Noem een bestand daarin, of gebruik --format beir.
eval-id-taken = De id { $key } is in gebruik: de opgeslagen vraag is anders.
    .fix = Wijzig de id, importeer in een andere --set, of gebruik --replace om deze versie te houden.
eval-id-repeated = De id { $key } is in gebruik: { $earlier } heeft dezelfde id met een andere inhoud.
    .fix = Wijzig de id, importeer in een andere --set, of gebruik --replace om deze versie te houden.
eval-sources-unknown = Verwachte bronnen die niet in het project zitten ({ $n }, { $times } keer genoemd): { $names }. De vragen zijn opgeslagen; neem die bronnen op en importeer opnieuw.
eval-sources-guessed = Bronnen die alleen op naam of titel gevonden zijn: { $names }.
eval-places-not-found = Plaatsen die niet zijn gevonden zoals ze beschreven zijn ({ $n }): { $names }.
eval-languages-unknown = Vragen in een onbekende taal, opgeslagen als und ({ $n }): { $names }.
eval-place-named = { $name } ({ $why })
eval-place-problem = { $id }: { $problem }
eval-match-title = de titel
eval-match-file-name = de bestandsnaam
eval-match-none = geen bron heeft deze naam
eval-several-match = { $n } bronnen passen: { $paths }
eval-place-no-pages = { $path } heeft geen pagina's, dus pagina { $page } telt niet mee
eval-place-no-section = { $path } heeft geen paragraaf '{ $section }'
eval-spans-beyond-end = { $path } heeft { $n } tekens; bereiken voorbij het einde zijn weggelaten
eval-spans-mismatch = de bereiken in { $path } komen niet overeen met de citaten; er is op de citaten gezocht
eval-words-missing = { $path } bevat de woorden { $words } niet
eval-no-words-then = { $path } heeft geen woorden op { $seconds } seconden
eval-language-unknown = Onbekende taal: '{ $name }'.
    .fix = Gebruik een code zoals nl of en, of laat de optie weg om de taal te herkennen.
eval-id-of-another = De id { $key } hoort bij een andere vraag: { $text }
    .fix = Gebruik een andere --id, of voer eerst `foundry eval remove { $key }` uit.
eval-one-source-needed = { $option } heeft precies één --source nodig; er zijn er { $n }.
    .fix = Noem één bron; `foundry eval import` accepteert meer plaatsen met pagina's.
eval-span-invalid = Geen geldig bereik: '{ $text }'.
    .fix = Gebruik PAD:BEGIN-EINDE in tekens van de brontekst, zoals a.md:120-180.
eval-source-unknown = De bron '{ $name }' zit niet in dit project: { $why }.
    .fix = { $hint }Voer `foundry sources list` uit om alle bronnen te zien.
eval-did-you-mean = Bedoelde u { $names }?{" "}
eval-place-unknown = De plaats is niet gevonden: { $problem }.
    .fix = Voer `foundry sources show { $source }` uit om de pagina's en paragrafen te zien.
eval-quote-nowhere = Geen bron bevat de woorden '{ $words }'.
    .fix = Kopieer ze uit de brontekst; `foundry search` toont passages.
eval-no-feedback = Er is nog geen feedback gegeven.
    .fix = Voer `foundry log feedback QUERY_ID --correct` (of --incorrect) uit.
eval-feedback-gone = Het antwoord staat niet meer in het logboek.
    .fix = Stel de vraag opnieuw en geef feedback op het nieuwe antwoord.
eval-feedback-other-kind = Het is een rij van { $kind }, geen vraag.
    .fix = Geef feedback op antwoorden van ask en chat.
eval-feedback-redacted = Het logboek heeft de woorden niet bewaard (log.redact).
    .fix = Voer `foundry eval add VRAAG` uit om de vraag met de hand toe te voegen.
eval-feedback-changed = { $key } is sindsdien gewijzigd en blijft zoals het is.
eval-feedback-words-gone = { $key }: de bronnen bevatten de woorden van het antwoord niet meer; de hele eerste bron wordt verwacht.
eval-feedback-passages = { $key }: er werden passages getoond, en welke het antwoord heeft is niet bekend; de eerste bron wordt verwacht tot je zegt waar.
eval-feedback-sources-gone = { $key }: de bronnen zitten niet meer in het project; er wordt geen bron verwacht.
eval-which-questions = Welke vragen?
    .fix = Noem id's, of gebruik --set NAAM of --all.
eval-question-unknown = Er is geen vraag '{ $name }'.
    .fix = Voer `foundry eval list` uit om de id's te zien.
eval-question-several = Meer dan één set heeft een vraag '{ $name }'.
    .fix = Gebruik een van: { $keys }.
eval-set-unknown = Er is geen set vragen '{ $name }'.
    .fix = Bestaande sets: { $known }. Maak er een met `foundry eval import BESTAND --set { $name }`.
eval-no-sets = Er is geen set vragen '{ $name }'.
    .fix = Er zijn nog geen sets. Maak er een met `foundry eval import BESTAND --set { $name }`.
eval-accepted-before = { $key } is eerder geaccepteerd.
    .fix = Voer in plaats daarvan `foundry eval remove { $key }` uit.
eval-unlabelled = { $n } daarvan hebben geen label en geen plaats ({ $first } …): een run kan weinig meer meten dan hun duur.
eval-draft-no-sources = Er zijn geen bronnen om vragen uit te maken.
    .fix = Voer eerst `foundry ingest` uit.
eval-draft-stopped = { $reason }
    .fix = Controleer het model met `foundry doctor`, of stel generation in op builtin/passages.
eval-draft-two-answers = de bron geeft er twee antwoorden op
eval-draft-table-question = Wat is “{ $column }” van “{ $row }” in de tabel “{ $table }” van “{ $title }”?
eval-draft-tables-only = Zonder taalmodel is alleen naar cellen van tabellen gevraagd; stel generation.model in om ook uit lopende tekst vragen te maken.
eval-draft-needs-model = Geen tabel van de bronnen heeft cellen om naar te vragen, en vragen uit lopende tekst maken vereist een taalmodel.
    .fix = Stel generation.model in, schrijf vragen met `foundry eval add`, of importeer ze met `foundry eval import BESTAND`.
eval-draft-model = Het model: { $reason }
eval-draft-fewer = De bronnen leverden { $made } van de { $wanted } vragen op.
eval-draft-fewer-unanswerable = Slechts { $made } van de { $wanted } niet te beantwoorden vragen konden worden gemaakt: daarvoor is een aanduiding zoals E05 in een vraag nodig.
eval-draft-a-question = een vraag
eval-draft-length = de vraag is te kort of te lang
eval-draft-speaks-of-text = ze verwijst naar de passage, die de vrager niet gezien heeft
eval-draft-no-answer = ze heeft geen antwoord
eval-draft-no-quote = ze heeft geen citaat, of een te lang citaat
eval-draft-quote-elsewhere = het citaat staat niet in de passage: { $quote }
eval-draft-window-too-small = Het contextvenster is te klein voor een passage uit de bronnen.
eval-draft-reply-not-json = De reactie was geen JSON in de gevraagde vorm.
eval-gate-unmentioned = geen bron noemt { $words }
eval-gate-nothing-found = er is niets gevonden
eval-fit-left-out = { $key } is weggelaten: { $error }
eval-fit-only-lowered = { $n } te beantwoorden vragen zijn te weinig om een drempel te plaatsen (er zijn er { $needed } nodig); hij is dus alleen verlaagd.
eval-fit-all-pass = { $n } te beantwoorden vragen kunnen geen grens onder { NUMBER($least, style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1) } garanderen; de drempel laat ze dus allemaal door.
eval-fit-threshold-only = { $n } niet te beantwoorden vragen zijn te weinig voor een helling (er zijn er { $needed } nodig); alleen de drempel is dus verplaatst.
eval-fit-scores-only = retrieval.min_score is 0: er wordt niets geweigerd; alleen de scores zijn dus gefit.
eval-fit-rules = De regels alleen weigeren { $n } van { $of } te beantwoorden vragen ({ NUMBER($share, style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1) }), meer dan de grens van { NUMBER($bound, style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1) }; met geen enkele constante is die te halen.
eval-fit-own-constants = De eigen constanten van het project van { $made } zijn op deze vragen gefit en worden niet vergeleken; de meegeleverde wel.
eval-fit-both-kinds = Kalibratie heeft gecontroleerde vragen van beide soorten nodig; { $answerable } zijn gelabeld als te beantwoorden en { $unanswerable } als niet te beantwoorden.
    .fix = Label vragen, voeg ze toe met `foundry eval add` of `foundry eval import BESTAND`, of maak ze met `foundry eval draft` en accepteer ze.
eval-verdict-fit-keeps = Alleen de fit houdt zich aan de grens van { NUMBER($bound, style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1) }.
eval-verdict-shipped-keeps = Alleen de meegeleverde constanten houden zich aan de grens van { NUMBER($bound, style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1) }.
eval-verdict-breaks-less = Beide overschrijden de grens van { NUMBER($bound, style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1) }, de fit minder.
eval-verdict-breaks-more = Beide overschrijden de grens van { NUMBER($bound, style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1) }, de fit meer.
eval-verdict-refuses-more = Er wordt duidelijk meer terecht geweigerd.
eval-verdict-refuses-less = Er wordt duidelijk minder terecht geweigerd.
eval-verdict-same-decisions = De beslissingen zijn ongeveer gelijk; { $scores }.
eval-verdict-scores-better = de scores zijn beter gekalibreerd
eval-verdict-scores-not-better = de scores zijn niet beter gekalibreerd
eval-changed-kind = slechts een van beide schrijft antwoorden
eval-changed-config = de configuratie is gewijzigd
eval-changed-versions = modellen, prompts of programma's zijn gewijzigd
eval-changed-index = de index is gewijzigd
eval-changed-questions = de vragen zijn gewijzigd
eval-no-runs = Er is geen run '{ $name }'.
    .fix = Voer eerst `foundry eval run` uit.
eval-run-unknown = Er is geen run '{ $name }'.
    .fix = Bedoelde u een van deze: { $near }? `foundry eval runs` toont ze allemaal.
eval-run-locked = Een ander proces voert '{ $name }' uit.
    .fix = Wacht tot het klaar is, of kies een andere --name.
    .request = Wacht tot het klaar is, of kies een andere naam.
eval-run-cannot-resume = Run { $run } is onderbroken en kan niet verdergaan: { $changed }.
eval-run-resumes = Run { $run } gaat verder: { $done } van { $of } klaar.
eval-fixed-project = vragen en runs worden onder de id van het project bewaard
eval-fixed-storage = de run wordt in de eigen database van het project bewaard
eval-fixed-output = een run schrijft geen document
eval-fixed-log = runs meten het logboek niet
eval-fixed-web = runs meten de webapplicatie niet
eval-fixed-sources = een run bevraagt de bronnen die het project heeft
eval-none-reviewed = Geen van deze vragen is beoordeeld; er wachten er { $n }.
    .fix = Lees ze met `foundry eval list` en accepteer de goede met `foundry eval accept`.
eval-tag-unknown = Geen vraag heeft de tag '{ $tag }'.
    .fix = Bedoelde u '{ $near }'? `foundry eval list` toont alle tags.
eval-no-questions = Er zijn geen vragen om te stellen.
    .fix = Voeg er een toe met `foundry eval add`, importeer er veel met `foundry eval import BESTAND`, of maak ze met `foundry eval draft`.
eval-no-question-has-tag = Geen vraag in deze sets heeft deze tag.
    .fix = Voeg er een toe met `foundry eval add`, importeer er veel met `foundry eval import BESTAND`, of maak ze met `foundry eval draft`.
eval-run-name-invalid = De naam van een run heeft een letter nodig en hoogstens { $limit } tekens: een los getal is het nummer van een run.
    .fix = Kies een naam zoals --name kleine-stukken.
    .request = Kies een naam zoals kleine-stukken.
eval-not-key-value = '{ $text }' is geen SLEUTEL=WAARDE.
    .fix = Schrijf bijvoorbeeld -o retrieval.top_k=20.
eval-key-fixed = { $key } kan voor een run niet worden gewijzigd: { $reason }.
    .fix = Laat de sleutel weg, of wijzig foundry.yaml.
eval-key-not-remote = { $key } is alleen op de opdrachtregel te wijzigen.
    .fix = Over HTTP kan een run wijzigen: { $known }.
eval-model-has-no-effect = generation.model heeft hier geen effect: { $key } gaat voor.
    .fix = Gebruik -o { $key }={ $value }.
eval-role-above = De rol '{ $wanted }' is hoger dan de rol '{ $role }' van dit project.
    .fix = Een rol kan alleen worden verlaagd.
eval-vectors-rebuilt = de vectoren zijn aangevuld of opnieuw gemaakt
eval-index-changed = De index is tijdens de run gewijzigd: { $changes }.
eval-source-changed = { $path } is { $how ->
    [added] toegevoegd
    [removed] verwijderd
   *[changed] gewijzigd
}
eval-replies-cached = { $n } modelreacties kwamen uit de cache; de tijden zijn dus niet die van het model.
eval-asked-at-a-time = Er zijn { $n } vragen tegelijk gesteld, dus elke vraag duurde langer.
eval-index-lacks = De index mist plaatsen die { $n } vragen verwachten ({ $names }); { $unjudged } daarvan hebben geen cijfer voor de volgorde.
eval-notice-of-many = { $n } van { $of } vragen: { $notice }
eval-side-no-files = Geen bron van dit project heeft een bestand dat opnieuw geïndexeerd kan worden.
    .fix = Voer eerst `foundry ingest` uit; een run probeert de instellingen dan op dezelfde bronnen.
eval-side-failed = Niet in de zij-index: { $path }: { $reason }
eval-side-file-gone = { $path } heeft geen bestand meer, dus de zij-index mist het.
eval-side-file-changed = { $path } is gewijzigd sinds het project het opnam.
eval-run-interrupted = Onderbroken: run { $run } heeft { $kept } van de { $of } vragen.
    .fix = Voer dezelfde opdracht opnieuw uit om verder te gaan.
eval-keys-unused = { $name }: zoeken gebruikt { $keys } niet; hier verandert niets.
eval-config-unreadable = De configuratie kan niet worden gelezen: { $reason }.
    .fix = Geef een YAML-bestand met een deel van foundry.yaml.
eval-config-own-project = { $key } kan hier niet worden ingesteld: een dataset heeft een eigen project.
    .fix = Verwijder { $key }.
eval-set-skipped_files = Bestanden weggelaten: geen tekst of Markdown, of onleesbaar: { $names }.
eval-set-duplicate_documents = Documenten weggelaten: hun id is al in gebruik: { $names }.
eval-set-duplicate_queries = Vragen weggelaten: hun id is al in gebruik: { $names }.
eval-set-unknown_documents = Oordelen weggelaten: de set heeft deze documenten niet: { $names }.
eval-set-wrong_spans = Vragen waarvan bereiken zijn weggelaten: die passen niet in hun document: { $names }.
eval-set-no-text = Er is geen tekstbestand.
    .fix = Voeg bestanden toe met { $endings }.
eval-set-file-missing = { $name } ontbreekt.
    .fix = Geef een map met corpus.jsonl (of files/), queries.jsonl en qrels.tsv (of qrels/*.tsv).
eval-line-no-text = De regel heeft geen tekst.
eval-line-no-id = De regel heeft geen id en geen _id.
eval-set-nothing-judged = Geen vraag heeft een oordeel over een document in de set, of zegt of ze te beantwoorden is.
    .fix = Voeg aan qrels.tsv regels toe met vraag-id, document-id en relevantie, met id's uit queries.jsonl en corpus.jsonl.
eval-set-not-searched = Vragen die niet zijn gezocht, omdat ze geen oordeel of label hebben: { $names }.
eval-set-failed = Vragen die mislukten en niet in de cijfers meetellen: { $names }.
eval-set-empty-documents = Documenten zonder tekst, die niet te vinden zijn: { $names }.
eval-set-altered = Documenten waarvan de opgeslagen tekst verschilt; hun bereiken tellen niet mee: { $names }.
eval-names = { $first }, { $other }
eval-place-no-page = { $path } heeft { $n } pagina's, geen { $page }
eval-breach-undefined = { $measure } is niet bepaald; de grens is { NUMBER($limit, maximumFractionDigits: 6) }
eval-breach-above = { $measure } is { NUMBER($value, maximumSignificantDigits: 4) }, boven { NUMBER($limit, maximumFractionDigits: 6) }
eval-breach-below = { $measure } is { NUMBER($value, maximumSignificantDigits: 4) }, onder { NUMBER($limit, maximumFractionDigits: 6) }
eval-differs-version = versie { $name }
eval-differs-kind = soort run
eval-differs-index = index
eval-differs-jobs = vragen tegelijk
eval-fit-shipped = meegeleverd
eval-fit-shipped-words = meegeleverd, alleen voor woorden
eval-fit-title-after = Kalibratie van de poort, na
eval-fit-axis-score = poortscore
eval-fit-axis-true = aandeel te beantwoorden
eval-fit-part = DEEL
eval-fit-before = vóór
eval-fit-after = na
eval-fit-all = alles
eval-fit-one-language = één taal
eval-fit-across-languages = tussen talen
eval-fit-column-questions = N
eval-fit-column-auroc = AUROC
eval-fit-column-gate_false_refusal_rate = ONTERECHT GEWEIGERD (95 %)
eval-fit-column-gate_refusal_recall = TERECHT GEWEIGERD
eval-fit-column-gate_refusal_precision = PRECISIE
eval-fit-column-calibration_error = KALIBRATIEFOUT
eval-figure-undefined = onbepaald
eval-figure-ms = { NUMBER($value, minimumFractionDigits: 0, maximumFractionDigits: 0) } ms
eval-figure-cost = { NUMBER($value, minimumFractionDigits: 4, maximumFractionDigits: 4) } USD
eval-figure-whole = { NUMBER($value, minimumFractionDigits: 0, maximumFractionDigits: 0) }
eval-figure-share = { NUMBER($value, minimumFractionDigits: 3, maximumFractionDigits: 3) }
eval-figure-score = { NUMBER($value, minimumFractionDigits: 2, maximumFractionDigits: 2) }
eval-figure-percent = { NUMBER($value, style: "percent", maximumFractionDigits: 0) }
eval-score-refused = { NUMBER($value, minimumFractionDigits: 2, maximumFractionDigits: 2) } geweigerd
eval-measures-shown = { $n } van { $of } maten; -v toont ze allemaal.
eval-run-head = Run { $run } ({ $name }, { $kind }): { $n ->
    [one] { $n } vraag
   *[other] { $n } vragen
} uit { $sets }
eval-run-head-so-far = Run { $run } ({ $name }, { $kind }): { $n } van { $of } vragen uit { $sets }
eval-run-with = Met { $keys }
eval-run-figures-so-far = Niet voltooid: dit zijn de cijfers tot nu toe. Dezelfde opdracht gaat verder.
eval-run-counts = { $errors ->
    [one] { $errors } fout
   *[other] { $errors } fouten
}, { $answerable } te beantwoorden, { $unanswerable } niet te beantwoorden, { $unlabelled } zonder label, { $judged } beoordeeld, { $answered } beantwoord, { $passages } met passages, { $refused } geweigerd
eval-trust-shown = Alle antwoorden
eval-trust-answer = Antwoorden zonder merk
eval-trust-low_confidence = Antwoorden met weinig zekerheid
eval-trust-passages = Passages
eval-trust-no_evidence = Weigeringen
eval-run-took = Duurde { NUMBER($whole, minimumFractionDigits: 1, maximumFractionDigits: 1) } s; de vragen alleen { NUMBER($questions, minimumFractionDigits: 1, maximumFractionDigits: 1) } s
eval-run-error = Fout in { $key }: { $error }
eval-run-errors-more = { $n ->
    [one] Nog { $n } fout
   *[other] Nog { $n } fouten
}; `foundry eval runs { $run } --questions` toont ze allemaal.
eval-label-true = te beantwoorden
eval-label-false = niet te beantwoorden
eval-verdict-error = fout: { $error }
eval-never-found = nooit
eval-option-needs-run = Bij { $option } hoort een RUN; `foundry eval runs` toont ze.
eval-no-runs-yet = Er zijn nog geen runs. Start er een met `foundry eval run`.
eval-of = { $n } van { $of }
eval-index-removed = { $path } verwijderd, { NUMBER($size, minimumFractionDigits: 1, maximumFractionDigits: 1) } MB.
eval-indexes-left = { $n ->
    [one] { $n } zij-index
   *[other] { $n } zij-indexen
}, { NUMBER($size, minimumFractionDigits: 1, maximumFractionDigits: 1) } MB; --clear-indexes verwijdert ze.
eval-run-removed = Run { $run } ({ $name }) verwijderd.
eval-run-repeated = { $name } is run { $run }, die al eerder is genoemd: het rapport toont hem één keer.
eval-report-unfinished = Run { $run } ({ $name }) is niet voltooid: het rapport gaat over de vragen tot nu toe.
eval-report-extension = Het rapport is een pagina, dus de naam kan niet { $name } zijn.
    .fix = Gebruik .html.
eval-report-written = { $path } geschreven: { $n ->
    [one] { $n } run
   *[other] { $n } runs
}, { $size } kB.
eval-import-what = Noem de bestanden om te importeren, of gebruik --feedback.
eval-import-refused = Geweigerd: { $line }: { $reason }
    .fix = {"  "}Wat nu: { $fix }
eval-import-refused-more = … en nog { $n }; -v toont ze allemaal.
eval-added = { $n } toegevoegd
eval-updated = { $n } bijgewerkt
eval-unchanged = { $n } ongewijzigd
eval-refused = { $n } geweigerd
eval-import-done = { $n ->
    [one] { $n } vraag
   *[other] { $n } vragen
}: { $parts }.
eval-drafted = { $n ->
    [one] { $n } vraag
   *[other] { $n } vragen
} gemaakt{ $kept ->
    [0] {""}
   *[other] , { $kept } bestonden al
}.
eval-drafted-review = Controleer ze en voer dan `foundry eval accept --set { $set }` uit.
eval-worse = Niet gehaald: { $change } dan run { $run } ({ $name }).
eval-failed = Niet gehaald: { $breach }.
eval-nothing-worse = Niets is duidelijk slechter dan run { $run } ({ $name }), over { $n ->
    [one] { $n } vraag
   *[other] { $n } vragen
}.
eval-measure-lost = { $measure } is niet bepaald en was { $first }: slechter
eval-measure-worse = { $measure } ging van { $first } naar { $second } ({ $moved }, 95 % { $low } tot { $high }): slechter
eval-compared-run = { $letter }: run { $run } ({ $name }, { $kind }) van { $sets }
eval-in-common = { $n ->
    [one] { $n } gemeenschappelijke vraag
   *[other] { $n } gemeenschappelijke vragen
}
eval-in-common-left-out = { $n ->
    [one] { $n } gemeenschappelijke vraag
   *[other] { $n } gemeenschappelijke vragen
}; weggelaten: { $parts }
eval-nothing-differs = Configuratie, versies en index zijn gelijk.
eval-only-first = { $n } alleen in A
eval-only-second = { $n } alleen in B
eval-text-changed = { $n } in andere woorden gesteld
eval-label-changed = { $n } met een ander label of antwoord of een andere plaats
eval-no-other-change = Geen andere maat veranderde duidelijk; -v toont ze allemaal.
eval-intervals-clear = { $n } van { $of } intervallen sluiten 0 uit; door toeval alleen doet één op de twintig dat.
eval-moved-worse = slechter
eval-moved-better = beter
eval-moved-changed = gewijzigd
eval-changed-error = fout
eval-changed-verdict = oordeel
eval-no-question-changed = Geen vraag veranderde van oordeel, recall@10 of score van het antwoord.
eval-changes-more = { $n ->
    [one] Nog { $n } wijziging
   *[other] Nog { $n } wijzigingen
}; -v toont ze allemaal.
eval-dataset-resume = Voer dezelfde opdracht opnieuw uit om verder te gaan: gelezen documenten en hun vectoren blijven bewaard.
eval-queries = { $n ->
    [one] { $n } zoekvraag
   *[other] { $n } zoekvragen
}
eval-dataset-head = { $name }: { $n ->
    [one] { $n } document
   *[other] { $n } documenten
}{ $reused ->
    [0] {""}
   *[other] {" "}({ $reused } uit een eerdere run)
}, { $queries }
eval-no-changes = geen wijzigingen
eval-config-against = { $name } tegenover { $other } (* verschilt duidelijk):
eval-brackets = Tussen haakjes: het 95 %-interval over de zoekvragen.
eval-gate-closes = De poort sluit onder { NUMBER($threshold, maximumFractionDigits: 6) }.
eval-questions-none = Er zijn nog geen vragen. Gebruik `foundry eval add`, `import` of `draft`.
eval-questions-none-match = Geen vragen gevonden.
eval-question-unreviewed = niet gecontroleerd
eval-set-counts = { $set }: { $n ->
    [one] { $n } vraag
   *[other] { $n } vragen
}: { $parts }
eval-count-answerable = { $n } te beantwoorden
eval-count-unanswerable = { $n } niet te beantwoorden
eval-count-unlabelled = { $n } zonder label
eval-count-unreviewed = { $n } niet gecontroleerd
eval-field-question = Vraag:
eval-field-language = Taal:
eval-field-answerable = Te beantwoorden:
eval-field-answer = Antwoord:
eval-field-tags = Tags:
eval-field-note = Opmerking:
eval-field-expected = Verwacht:
eval-place-missing = (niet in het project)
eval-question-head = ({ $origin }{ $reviewed ->
    [true] {""}
   *[false] , niet gecontroleerd
})
eval-already-accepted = { $n ->
    [one] { $n } vraag was al geaccepteerd.
   *[other] { $n } vragen waren al geaccepteerd.
}
eval-accepted = { $n ->
    [one] { $n } vraag
   *[other] { $n } vragen
} geaccepteerd.
eval-rejected = { $n ->
    [one] { $n } vraag
   *[other] { $n } vragen
} afgewezen.
eval-remove-which = Welke vragen?
    .fix = Noem id's, of gebruik --set NAAM.
eval-removed = { $n ->
    [one] { $n } vraag
   *[other] { $n } vragen
} verwijderd.
eval-would-remove = Dit zou { $n ->
    [one] { $n } vraag
   *[other] { $n } vragen
} uit { $set } verwijderen.
    .fix = Exporteer een kopie met `foundry eval export --set { $set } --output BESTAND` en gebruik dan --yes.
eval-remove-set = { $n ->
    [one] { $n } vraag
   *[other] { $n } vragen
} uit { $set } verwijderen?
eval-nothing-removed = Er is niets verwijderd.
    .fix = Exporteer een kopie met `foundry eval export --set { $set } --output BESTAND` en gebruik dan --yes.
eval-nothing-to-export = Er zijn geen vragen om te exporteren.
    .fix = Gebruik eerst `foundry eval add`, `import` of `draft`.
eval-exported = { $n ->
    [one] { $n } vraag
   *[other] { $n } vragen
} geschreven naar { $path }.
eval-page = p. { $page }
eval-relevance = relevantie { $relevance }
eval-yes = ja
eval-no = nee
eval-show-or-reset = Kies --show of --reset.
eval-fit-stored = Bewaard en in gebruik; `foundry eval calibrate --reset` verwijdert de fit.
eval-fit-dry-run = Er is niets bewaard: dit was een proef.
eval-fit-not-stored = Er is niets bewaard; gebruik --yes om de fit toch te bewaren.
eval-fit-written = { $path } geschreven.
eval-fit-extension = De grafiek is een .svg-bestand, niet { $name }.
    .fix = Noem een bestand dat eindigt op .svg.
eval-fits-removed = { $n ->
    [one] { $n } fit
   *[other] { $n } fits
} verwijderd; de meegeleverde constanten worden gebruikt.
eval-fits-none = Er is geen fit bewaard; de meegeleverde constanten worden gebruikt.
eval-fit-used = { $model }: gefit { $made } UTC, in gebruik
eval-fit-unused = { $model }: gefit { $made } UTC, niet in gebruik
eval-fit-before-constants = { $model }; constanten vóór de fit: { $which }
eval-fit-refused-by-rule = Te beantwoorden, maar met elke constante door een regel geweigerd:
eval-fit-better = Beter. { $reason }
eval-fit-not-better = Niet beter. { $reason }
eval-fit-facts-gate = Poort: { $questions } vragen ({ $answerable } te beantwoorden), beurtelings weggelaten in { $folds } delen; hoogstens { NUMBER($max_false_refusal, style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1) } onterecht geweigerd bij min_score { NUMBER($min_score, minimumFractionDigits: 2, maximumFractionDigits: 2) }; { $fitted ->
    [line] drempel en helling gefit
    [threshold] drempel gefit
   *[milder] drempel alleen verlaagd
}
eval-run-kept = { $kept } van { $of } vragen zijn gesteld en bewaard; dezelfde ronde gaat daar verder.
eval-no-curve = De ronde heeft geen vragen van beide soorten, met en zonder antwoord in de bronnen.
    .fix = Geef van vragen aan of ze een antwoord hebben, en stel ze.
eval-curve-shipped = De gewichten van de poort horen bij Foundry en zijn niet op deze vragen afgesteld. Kiest u een drempel met deze lijn, meet hem dan op andere vragen.
eval-curve-fitted = De poort is op vragen van dit project afgesteld: deze lijn kan dezelfde vragen tonen en is dan te gunstig. Ga af op de cijfers van de niet gebruikte vragen bij de afstelling.
eval-curve-below = Onder { NUMBER($threshold, minimumFractionDigits: 2) } weet niemand of de antwoorden die de ronde weigerde juist waren geweest: alleen vragen zonder antwoord in de bronnen tellen daar als fout.
