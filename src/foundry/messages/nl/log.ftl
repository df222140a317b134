log-not-saved = Dit staat niet in het vragenlogboek: { $cause }
log-no-match = Geen vraag voldoet hieraan.
log-empty = Er zijn nog geen vragen gesteld.
log-empty-period = In die periode zijn geen vragen gesteld.
log-unknown-query = Het vragenlogboek kent geen vraag '{ $id }'.
    .fix = Voer `foundry log list` uit voor de id's.
log-query = Vraag:
log-searched = Gezocht:
log-verdict = Oordeel:
log-no-verdict = geen
log-gate = { $verdict } (poort { NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) })
log-role = Rol:
log-agent = Agent:
log-model = Model:
log-profile = Profiel:
log-usage = Verbruik:
log-calls = { $n ->
        [one] { $n } aanroep
       *[other] { $n } aanroepen
    }, { $prompt } + { $completion } tokens, { $cost }
log-cost-exact = { NUMBER($cost, minimumFractionDigits: 4, maximumFractionDigits: 4) } USD
log-cost = { NUMBER($cost, minimumFractionDigits: 2, maximumFractionDigits: 2) } USD
log-times = Tijden:
log-coverage = Dekking:
log-checks = Controles:
log-changes = Wijzigingen:
log-error = Fout:
log-retrieved = Gevonden:
log-answer = Antwoord:
log-day-out-of-range = { $day } ligt niet tussen { $first } en { $last }.
    .fix = Geef een dag daartussen.
log-dates-reversed = De eerste dag, { $since }, is later dan de laatste, { $until }.
    .fix = Verwissel de datums.
log-feedback-needed = Niet opgegeven is of het antwoord klopte.
    .fix = Geef --correct of --incorrect.
log-judged-correct = { $id }: goed.
log-judged-incorrect = { $id }: fout.
log-all = alle
log-shares = ANTWOORD, TWIJFEL, PASSAGES en GEEN zijn aandelen van de rijen met een oordeel, FOUTEN van alle rijen.
log-means = DEKKING is een gemiddelde; EXACT en ONDERBOUWD (door een model) zijn aandelen van de gecontroleerde beweringen.
log-runs-apart = Vragen van evaluatieruns ({ $kind }) tellen alleen mee in hun eigen regel.
log-unpriced = KOSTEN telt { $n ->
        [one] { $n } rij
       *[other] { $n } rijen
    } met onbekende kosten niet mee.
log-no-calls = Er is geen model aangeroepen.
log-zone-local = lokale tijd
log-spent-today = Vandaag ({ $zone }): { $cost }, { $tokens } tokens.
log-limit-cost = Grens per dag: { $limit }.
log-limit-tokens = Grens per dag: { $limit } tokens.
log-unpriced-calls = { $n ->
        [one] { $n } aanroep heeft geen bekende prijs en telt
       *[other] { $n } aanroepen hebben geen bekende prijs en tellen
    } niet mee in de kosten.
log-audit-empty = Het auditspoor is leeg.
log-audit-owner = (eigenaar)
