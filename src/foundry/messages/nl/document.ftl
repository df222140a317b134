document-day = { DATETIME($date, dateStyle: "long") }
document-contents = Inhoud
document-skip = Naar de tekst
document-made-with = Gemaakt met
document-date = Datum
document-project = Project
document-chapter = Hoofdstuk
document-owner = Eigenaar
document-approved = Specificatie goedgekeurd
document-accepted = Tekst geaccepteerd
document-by-on = { $by }, { $date }
document-page-of = Pagina { $page } van { $pages }
document-stale = Verouderd
document-stale-why = Dit document is gemaakt, hoewel het volgende is gewijzigd nadat de tekst was geschreven:
document-stale-chapter = Dit hoofdstuk kan verouderd zijn:
document-notes = Noten
document-back = Terug naar de tekst
document-sources = Bronnenregister
document-sources-why = Alle bronnen die de tekst aanhaalt, zoals ze waren toen de tekst werd geschreven. De SHA-256 identificeert het bestand.
document-path = Bestand
document-title = Titel
document-revision = Revisie
document-coverage = Dekking en tegenstrijdigheden
document-coverage-why = “Zoals geschreven” is het deel van de zinnen dat een gecontroleerde bron had voordat er iets werd verwijderd; “zoals getoond” is dat deel van de zinnen in dit document.
document-section = Paragraaf
document-sentences = Zinnen
document-supported = Zoals geschreven
document-shown = Zoals getoond
document-remark = Opmerking
document-conflicts = Tegenstrijdigheden tussen bronnen
document-no-conflicts = Er zijn geen tegenstrijdigheden tussen bronnen gevonden.
document-holds = Gevolgd: { $value }. Bepaald door { $rule }.
document-undecided = Geen regel bepaalt welke van de twee geldt.
document-superseded = { $value } geldt: dit staat in de latere revisie ({ $rule }).
document-approvals = Goedkeuring en acceptatie
document-approvals-why = Wie elke specificatie heeft goedgekeurd en wie de geschreven tekst heeft geaccepteerd.
document-unverified = Door de beoordelaar geaccepteerd en niet gecontroleerd
document-unverified-mark = geaccepteerd door { $by }, niet gecontroleerd
document-topic = Onderwerp
document-specification = Specificatie
document-agent = Agent
document-hashed = { $path }, SHA-256 { $hash }
document-written = Tekst geschreven
document-needs = Om deze paragraaf te vullen, voeg toe: { $needs }.
document-quoted = Hier is niets geschreven: elke regel is woordelijk overgenomen uit de bron die erboven staat.
document-missing = Gevraagd, en niet met die woorden gevonden: { $items }.
document-not-found = Gevraagd, en niet gevonden in de bronnen: { $items }.
document-left-out = Hier weggelaten, omdat geen bron { $form ->
    [quote] het woordelijk zo heeft
   *[other] is gevonden die het draagt
}: { $form ->
    [steps] { $number ->
        [one] één stap
       *[other] { $number } stappen
    }
    [table] { $number ->
        [one] één rij
       *[other] { $number } rijen
    }
   *[other] { $number ->
        [one] één onderdeel
       *[other] { $number } onderdelen
    }
}.
document-note = Opmerking van de beoordelaar
document-contradiction = Bronnen spreken elkaar tegen.
document-replaced = Vervangen.
document-says = zegt
document-follows = { $new } geldt boven { $old } ({ $rule }):
document-not = { $new }, niet { $old }
document-first-holds = De eerste geldt ({ $rule }).
document-second-holds = De tweede geldt ({ $rule }).
document-check-hierarchy = Controleer de bronhiërarchie in de specificatie.
document-low-confidence = WEINIG ZEKERHEID — beperkte brondekking.
