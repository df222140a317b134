log-not-saved = This is not in the query log: { $cause }
log-no-match = No questions match.
log-empty = No questions yet.
log-empty-period = No questions in that period.
log-unknown-query = The log has no query '{ $id }'.
    .fix = Run `foundry log list` to see the ids.
log-query = Query:
log-searched = Searched:
log-verdict = Verdict:
log-no-verdict = none
log-gate = { $verdict } (gate { NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) })
log-role = Role:
log-agent = Agent:
log-model = Model:
log-profile = Profile:
log-usage = Usage:
log-calls = { $n ->
        [one] { $n } call
       *[other] { $n } calls
    }, { $prompt } + { $completion } tokens, { $cost }
log-cost-exact = { NUMBER($cost, minimumFractionDigits: 4, maximumFractionDigits: 4) } USD
log-cost = { NUMBER($cost, minimumFractionDigits: 2, maximumFractionDigits: 2) } USD
log-times = Times:
log-coverage = Coverage:
log-checks = Checks:
log-changes = Changes:
log-error = Error:
log-retrieved = Retrieved:
log-answer = Answer:
log-day-out-of-range = { $day } is not between { $first } and { $last }.
    .fix = Give a day in between.
log-dates-reversed = The first day, { $since }, is later than the last, { $until }.
    .fix = Swap the dates.
log-feedback-needed = Say whether the answer was correct.
    .fix = Give --correct or --incorrect.
log-judged-correct = { $id }: correct.
log-judged-incorrect = { $id }: incorrect.
log-all = all
log-shares = ANSWERED, LOW, PASSAGES and NONE are shares of the rows with a verdict, ERRORS of all rows.
log-means = COVERAGE is a mean; EXACT and SUPPORTED (by a judge) are shares of the checked statements.
log-runs-apart = Questions of evaluation runs ({ $kind }) count only in their own line.
log-unpriced = COST leaves out { $n ->
        [one] { $n } row
       *[other] { $n } rows
    } whose cost is unknown.
log-no-calls = No model was called.
log-zone-local = local time
log-spent-today = Today ({ $zone }): { $cost }, { $tokens } tokens.
log-limit-cost = Limit per day: { $limit }.
log-limit-tokens = Limit per day: { $limit } tokens.
log-unpriced-calls = { $n ->
        [one] { $n } call has no known price and counts
       *[other] { $n } calls have no known price and count
    } no cost.
log-audit-empty = The audit stream is empty.
log-audit-owner = (owner)
