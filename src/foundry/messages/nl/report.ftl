report-group-ranking = Zoeken
report-group-refusal = Weigeringen van het hele systeem
report-group-gate = De poort alleen
report-group-citation = Verwijzingen
report-group-answers = Antwoorden
report-group-passages = Passages zonder antwoord
report-group-times = Tijden
report-group-spent = Modelgebruik

report-name-recall = Recall
report-name-precision = Precisie
report-name-ndcg = nDCG
report-name-mrr = MRR
report-name-map = MAP
report-name-span_recall = Recall van tekens
report-name-span_precision = Precisie van tekens
report-name-span_iou = Overlap van tekens
report-name-refusal_precision = Weigeringsprecisie
report-name-refusal_recall = Weigeringsrecall
report-name-false_refusal_rate = Onterechte weigeringen
report-name-gate_refusal_precision = Weigeringsprecisie, poort
report-name-gate_refusal_recall = Weigeringsrecall, poort
report-name-gate_false_refusal_rate = Onterechte weigeringen, poort
report-name-auroc = AUROC
report-name-citation_precision = Verwijzingsprecisie
report-name-citation_recall = Verwijzingsrecall
report-name-coverage = Brondekking
report-name-exact_match = Exacte overeenkomst
report-name-f1 = Token-F1
report-name-answer_recall = Antwoordrecall
report-name-sure_precision = Juist waar zeker
report-name-low_confidence_precision = Juist bij weinig zekerheid
report-name-shown_gold = Antwoordplaats getoond
report-name-shown_source = Bron getoond
report-name-latency_p50_ms = Tijd per vraag, mediaan
report-name-latency_p95_ms = Tijd per vraag, 95e percentiel
report-name-latency_max_ms = Tijd per vraag, langste
report-name-retrieval_p50_ms = Zoektijd, mediaan
report-name-retrieval_p95_ms = Zoektijd, 95e percentiel
report-name-tokens = Tokens
report-name-cost = Kosten

report-means-recall = Het deel van de verwachte plaatsen dat bij de eerste k treffers staat; het gemiddelde over vragen. Een treffer die alleen eerder gevonden plaatsen dekt, neemt geen rang in; waar hele bronnen verwacht worden, geldt dat ook voor volgende treffers uit dezelfde bron. Een juiste treffer op rang 12 kan dus bij de eerste tien horen.
report-means-precision = Het deel van de eerste k treffers dat een verwachte plaats dekt.
report-means-ndcg = Als recall, maar een plaats telt zwaarder naarmate de treffer hoger staat; 1 is de beste volgorde.
report-means-mrr = Eén gedeeld door de rang van de eerste juiste treffer; het gemiddelde over vragen.
report-means-map = De precisie op de rang van elke juiste treffer, gemiddeld; het gemiddelde over vragen.
report-means-span_recall = Het deel van de tekens in de verwachte passages dat binnen de eerste k treffers valt.
report-means-span_precision = Het deel van de tekens in de eerste k treffers dat binnen een verwachte passage valt.
report-means-span_iou = De tekens in zowel de verwachte passages als de eerste k treffers, als deel van die in een van beide.
report-means-refusal_precision = Het deel van de geweigerde vragen waarop de bronnen geen antwoord geven.
report-means-refusal_recall = Het deel van de vragen zonder antwoord in de bronnen dat geweigerd is.
report-means-false_refusal_rate = Het deel van de vragen met een antwoord dat toch geweigerd is; lager is beter.
report-means-gate_refusal_precision = Hetzelfde voor wat de poort zelf weigert, voordat een model wordt aangeroepen.
report-means-gate_refusal_recall = Hetzelfde voor wat de poort zelf weigert.
report-means-gate_false_refusal_rate = Hetzelfde voor wat de poort zelf weigert; lager is beter.
report-means-auroc = De kans dat een vraag met antwoord een hogere poortscore krijgt dan een zonder; 0,5 is niet beter dan kop of munt.
report-means-citation_precision = Het deel van de getoonde citaten dat van een verwachte plaats komt.
report-means-citation_recall = Het deel van de verwachte plaatsen dat het antwoord citeert.
report-means-coverage = Het deel van de zinnen van een antwoord met een gecontroleerde bron, voordat er zinnen zijn verwijderd.
report-means-exact_match = Of het antwoord gelijk is aan een verwacht antwoord, op hoofdletters, leestekens en lidwoorden na.
report-means-f1 = In hoeverre de woorden van het antwoord en het verwachte antwoord overeenkomen (harmonisch gemiddelde van precisie en recall).
report-means-answer_recall = Het deel van de woorden van het verwachte antwoord dat het antwoord bevat, wat er verder ook staat.
report-means-sure_precision = Het deel van de antwoorden van een model zonder het merk van weinig zekerheid dat juist is: alle woorden van een verwacht antwoord staan erin, of de helft van de woorden komt overeen; een antwoord op een vraag die er geen heeft is onjuist.
report-means-low_confidence_precision = Hetzelfde voor de antwoorden met het merk.
report-means-shown_gold = Of de getoonde passages een verwacht citaat helemaal bevatten; zonder citaat alle woorden van een verwacht antwoord, of een regel van de verwachte pagina of paragraaf. Een geweigerde vraag die een antwoord heeft telt als 0.
report-means-shown_source = Of een passage van een verwachte bron is getoond.
report-means-latency_p50_ms = De helft van de vragen duurde korter.
report-means-latency_p95_ms = Negentien op de twintig duurden korter.
report-means-latency_max_ms = De traagste vraag.
report-means-retrieval_p50_ms = De zoektijd alleen; de helft duurde korter.
report-means-retrieval_p95_ms = Negentien op de twintig keer zoeken duurde korter.
report-means-tokens = Tokens naar en van modellen, in totaal.
report-means-cost = Amerikaanse dollars, als elke prijs bekend is.
report-undefined = niet bepaald

report-plot-no-data = Niets te tonen.
report-plot-reliability = Betrouwbaarheid van de score
report-plot-reliability-desc = Betrouwbaarheidsplot over { $bins }: de gemiddelde score tegen het aandeel dat waar is; verwachte kalibratiefout { $error }.
report-plot-score = score
report-plot-true = aandeel dat waar is
report-plot-perfect = perfect gekalibreerd
report-plot-observed = waargenomen (n)
report-plot-recall = Recall en nDCG naar diepte
report-plot-recall-desc = Lijnen over de diepte k; recall bij 10: { $runs }.
report-plot-gate = Poortscores
report-plot-gate-axis = poortscore
report-plot-threshold = poort sluit onder { $value }
report-plot-share-of-kind = aandeel
report-plot-strip-desc = { $name }: n = { $n }, mediaan { $median }
report-plot-differences = Verschillen met de eerste run
report-plot-differences-desc = Punten met 95%-intervallen: { $parts }.
report-plot-differences-axis = verschil (rechts van 0: hoger dan de eerste run)
report-kind-answerable = beantwoordbaar
report-kind-unanswerable = onbeantwoordbaar
report-kind-unlabelled = niet gelabeld
report-time-whole = geheel
report-time-retrieval = zoeken
report-n-bins = { $n ->
    [one] { $n } klasse
   *[other] { $n } klassen
}
report-title = Evaluatierapport: { $project }
report-contents = Inhoud
report-skip = Naar het rapport
report-made-with = Gemaakt met { $program }
report-interval = { $low } tot { $high }
report-not-applicable = n.v.t.
report-none = geen
report-no = nee
report-run = Run
report-questions = Vragen
report-question = Vraag
report-measure = Maat
report-fact = Gegeven
report-setting = Instelling
report-notices = Meldingen van { $run }
report-warnings = Lees dit eerst
report-seconds = { $n } s
report-n-questions = { $n ->
    [one] { $n } vraag
   *[other] { $n } vragen
}
report-n-errors = { $n ->
    [one] { $n } fout
   *[other] { $n } fouten
}
report-n-places = { $n ->
    [one] { $n } plaats
   *[other] { $n } plaatsen
}

report-summary-title = In het kort
report-summary-run = { $run }: { $questions }, { $errors }; bij { $bad } ging het mis.
report-summary-compared = { $run } tegen { $first }, over { $common } die beide hebben: { $what }.
report-summary-better = duidelijk beter: { $what }
report-summary-worse = duidelijk slechter: { $what }
report-summary-no-difference = geen kwaliteitsmaat verschilt duidelijk (elk 95%-interval bevat 0)
report-summary-nothing-common = { $run } en { $first } hebben geen voltooide vraag gemeen en zijn niet vergeleken.
report-trust-title = Wat werd getoond, en of het juist is
report-trust-shown = Wat werd getoond
report-trust-right = Juist
report-trust-wrong = Onjuist
report-trust-unjudged = Niet beoordeeld
report-trust-note = Een antwoord is juist als alle woorden van een geaccepteerd antwoord erin staan, of als de helft van de woorden overeenkomt; passages, als zij het verwachte citaat bevatten, of anders het geaccepteerde antwoord; een weigering, als de bronnen geen antwoord hebben. Zonder een van deze wordt het niet beoordeeld.
report-headline-title = Kerncijfers met 95%-intervallen

report-warning-unfinished = { $run } is niet voltooid: de run loopt nog of is onderbroken. De cijfers gaan over de { $n } uitkomsten tot nu toe.
report-warning-empty = { $run } heeft nog geen uitkomsten.
report-warning-unknown = { $run }: in de index ontbreken { $n } die de vragen verwachten; die zijn niet beoordeeld.
report-warning-questions = De runs stelden niet dezelfde vragen. Verschillen gaan over de gemeenschappelijke vragen; cijfers naast elkaar niet.
report-warning-index = De runs doorzochten niet dezelfde index: bronnen, chunks of embeddings zijn tussendoor veranderd.
report-runs-title = Wat er is uitgevoerd

report-fact-number = Nummer
report-fact-kind = Soort
report-fact-sets = Vragensets
report-fact-state = Status
report-fact-started = Begonnen
report-fact-duration = Duur
report-fact-questions = Vragen
report-fact-judged = Met een verwachte plaats in de index
report-fact-answered = Beantwoord / passages getoond / geweigerd
report-fact-errors = Fouten
report-fact-unknown_sources = Verwachte plaatsen die in de index ontbreken
report-fact-questions_hash = Hash van de vragen
report-fact-index_hash = Hash van de index
report-fact-versions = Versies
report-fact-overrides = Instellingen gewijzigd voor deze run
report-run-ask = volledige antwoorden
report-run-retrieval = alleen zoeken en poort
report-state-finished = voltooid
report-state-unfinished = niet voltooid
report-differing-title = Verschillen tussen de runs
report-differing-none = De vastgelegde instellingen en versies zijn in alle runs gelijk.
report-settings-title = Alle instellingen en versies

report-measures-title = Alle maten

report-measures-note = Onder elk cijfer: het 95%-interval (bootstrap over vragen) en het aantal vragen erachter. Een cijfer waarvoor niets te tellen valt, is niet bepaald.
report-measures-note-many = Onder elk cijfer: het 95%-interval (bootstrap over vragen), het aantal vragen erachter, en het verschil met de eerste run over de gemeenschappelijke vragen, met het interval daarvan (gepaarde bootstrap). ▲ duidelijk beter, ▼ duidelijk slechter: het interval bevat 0 niet; = geen vraag verschilt. Bij zo veel maten lijkt ongeveer één op de twintig bij toeval duidelijk. Een cijfer waarvoor niets te tellen valt, is niet bepaald.
report-left-out-answers = Er is niets beantwoord: deze runs zochten alleen en beoordeelden de poort. Maten van antwoorden, verwijzingen en kosten zijn niet van toepassing en weggelaten.
report-meanings-title = Wat de maten betekenen
report-plots-title = Plots

report-plot-answerable-share = aandeel dat beantwoordbaar is

report-caption-recall = Het cijfer op elke diepte k, zoals in de tabel.
report-caption-differences = Gevuld: het 95%-interval bevat 0 niet. Bij onterechte weigeringen is lager beter.
report-caption-gate = Hoe verder de soorten uit elkaar liggen, hoe beter de poort ze onderscheidt. Vragen links van de lijn worden geweigerd.
report-caption-reliability = Op de diagonaal betekent een score van 0,8 dat vier op de vijf zulke vragen beantwoordbaar zijn. Verwachte kalibratiefout: { $error }.

report-moved-title = Vragen met een andere uitkomst
report-moved-of = { $run } tegen { $first }
report-moved-what = Wat
report-moved-change = Verandering
report-moved-better = beter
report-moved-worse = slechter
report-moved-changed = anders
report-moved-error = fout
report-moved-counts = Van { $common } die beide runs stelden: { $worse } slechter, { $better } beter, { $changed } anders.
report-moved-more = Nog { $n } worden niet getoond.
report-moved-left-out = Niet vergeleken: { $only_first } alleen in { $first }, { $only_second } alleen in { $run }, { $text } anders verwoord, { $label } met een ander label.

report-breakdown-title = Naar taal, tag en set
report-breakdown-set = Naar set
report-breakdown-language = Naar taal van de vraag
report-breakdown-tag = Naar tag
report-breakdown-gate = Waar niets is beantwoord, zijn de weigeringen die van de poort.
report-breakdown-more = { $n } kleinere groepen worden niet getoond.
report-by-set = Set
report-by-language = Taal
report-by-tag = Tag

report-worst-title = De slechtste vragen
report-worst-rule = Volgorde: fouten; weigeringen van een vraag die een antwoord heeft (laagste poortscore eerst); antwoorden op een vraag die er geen heeft (hoogste eerst); verwachte plaatsen die niet alle bij de eerste tien treffers staan (laagste recall eerst); passages zonder de antwoordplaats (laagste poortscore eerst); antwoorden met een token-F1 onder 0,5 die van elk verwacht antwoord woorden missen (laagste woordrecall eerst).
report-worst-said = { $shown } van de { $bad } uitkomsten die misgingen, op een totaal van { $all }.
report-worst-none = Geen van de { $all } uitkomsten ging mis.
report-fault = Mis
report-fault-error = fout
report-fault-wrong_refusal = onterechte weigering
report-fault-wrong_answer = beantwoord hoewel onbeantwoordbaar
report-fault-missing = verwachte plaats niet bij eerste tien treffers
report-fault-not_shown = antwoordplaats niet in de getoonde passages
report-fault-low_f1 = lage F1
report-short-error = fout
report-short-wrong_refusal = geweigerd
report-short-wrong_answer = beantwoord
report-short-missing = plaats
report-short-not_shown = passages
report-short-low_f1 = F1
report-questions-note = Mis: fout; geweigerd hoewel beantwoordbaar; beantwoord hoewel onbeantwoordbaar; een verwachte plaats niet bij de eerste tien treffers; passages getoond zonder de antwoordplaats; token-F1 onder 0,5 terwijl van elk verwacht antwoord woorden ontbreken. Een streepje: niet bepaald.
report-verdict = Oordeel

report-verdict-answer = antwoord
report-verdict-low_confidence = weinig zekerheid
report-verdict-passages = passages
report-verdict-no_evidence = geen bewijs
report-gate = Poort
report-score = score
report-label = Label
report-language = Taal
report-tags = Tags
report-expected-title = Verwachte plaatsen
report-expected-answers = Verwacht antwoord
report-expected-none = Er werd geen plaats verwacht.
report-characters = tekens { $spans }
report-relevance = relevantie { $n }
report-not-in-index = Niet in de index
report-expected-rank = eerste treffer op rang { $rank }
report-expected-nowhere = geen treffer

report-hits-title = Eerste treffers
report-hits-none = Er is niets gevonden.
report-hits-first-right = De eerste juiste treffer staat op rang { $rank } van { $depth }.
report-hits-nowhere = Geen van de { $depth } gerangschikte treffers is juist.
report-source = Bron
report-page = Pagina
report-page-short = p.
report-section = Paragraaf
report-relevance-column = Relevantie
report-right = Juist
report-answer-title = Antwoord
report-answer-none = Er is geen antwoord gegeven.
report-citations-title = Getoonde citaten
report-citation-right = op een verwachte plaats
report-citation-wrong = niet op een verwachte plaats
report-error-title = Fout
report-notices-title = Meldingen
report-questions-title = Alle vragen
report-questions-show = Toon alle { $n } uitkomsten
report-question-key = Sleutel
report-settings-show = Toon alle instellingen en versies
report-empty = Niets te tonen.
