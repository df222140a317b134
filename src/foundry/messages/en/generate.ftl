generate-sections-kept = Finished sections are kept: run it again to continue.
generate-section-not-cached = This section could not be cached, so the next run will write it again: { $cause }
generate-not-registered = The draft was written but not registered, so it cannot be accepted or built: { $cause }
generate-no-sentence = No sentence could be supported by the evidence.
generate-nothing-near = Nothing in the sources comes near what is asked.
generate-nearest-only = No heading or label in the sources names what is asked. The passages that come nearest:
generate-nothing-named = No heading or label in the sources names what is asked.
generate-found-nothing = The model found nothing about it in the evidence.
generate-reasons = { $reasons }
generate-beside = What the sources say that comes near is about something else.
generate-steps-moved = { $number } steps were put in the order of their source.
generate-overruled = A sentence relies on an overruled passage: { $sentence }
generate-notice = { $section }: { $notice }
generate-output-missing = --output is missing.
    .fix = Name the file to write: --output a.md.
generate-kept-edited = Saved the edited draft as { $name }
generate-not-written = { $path } was not written.

generate-budget-warning = ⚠ Token budget warning:
generate-budget-brief = brief:
generate-budget-spec = feature spec:
generate-budget-summaries = source summaries:
generate-budget-chunks = chunk budget:
generate-budget-total = Total:
generate-budget-consider = Consider: fewer summaries, smaller brief, or larger generation.model
generate-number = { $number }
generate-tokens = tokens
generate-tokens-of = tokens (max_source_summaries={ $summaries })
generate-limit = / { $limit } limit ({ $share })
generate-no-window = no window
generate-budget = Budget: brief { $brief }, feature spec { $spec }, source summaries { $summaries }, chunks { $chunks }: { $total } tokens.
generate-budget-of = Budget: brief { $brief }, feature spec { $spec }, source summaries { $summaries }, chunks { $chunks }: { $total } of { $window } tokens.

generate-dry-run = Dry run: { $name }
generate-topic = Topic: { $topic }
generate-asks-for = asks for: { $text }
generate-gate = Gate: { $decision } (score: { NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) }) { $reasons }
generate-no-evidence = No evidence: { $reason }
generate-out = left out { $place }: { $reason }
generate-note = Note: { $notice }
generate-hit-scored = { $place } (score: { NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) }, scored { $points } of 10)
generate-prompt = Prompt of { $section } ({ $tokens } tokens)

generate-wrote = Wrote { $path }
generate-summary = { $sections ->
    [one] { $sections } section
   *[other] { $sections } sections
} from { $sources ->
    [one] { $sources } source
   *[other] { $sources } sources
}, by { $model }, in { NUMBER($seconds, minimumFractionDigits: 1, maximumFractionDigits: 1) } s; coverage { $coverage }, completeness { $completeness }.
generate-reused = { $number ->
    [one] { $number } section
   *[other] { $number } sections
} reused from the last run (--fresh rewrites them).
generate-columns = SECTION|COVERAGE|SENTENCES|SOURCES|CONFLICTS|LEFT OUT
generate-empty = empty: { $reason }
generate-low = LOW CONFIDENCE
generate-none = none
generate-left-out = Left out of the evidence:
generate-more = and { $number } more (--json lists them all)
generate-cost = Cost: { $calls ->
    [one] { $calls } model call
   *[other] { $calls } model calls
}{ $cached }, { $tokens ->
    [one] { $tokens } token
   *[other] { $tokens } tokens
}, { $cost }.
generate-cached = {" "}({ $number } more from the cache)
generate-price = ${ NUMBER($cost, minimumFractionDigits: 4, maximumFractionDigits: 4) }
generate-price-unknown = price unknown
generate-source-gone = { $path } is cited, but its file is gone since it was ingested.
generate-other-documents = This draft is about { $names }: { $number ->
    [one] one document about another of its kind was not read.
   *[other] { $number } documents about others of its kind were not read.
}
generate-topic-unknown = The sources do not cover the topic “{ $topic }”.
generate-topic-doubtful = The sources may not be about “{ $topic }”: { $reasons }
generate-beside-topic = { $number ->
    [one] One document that is not about “{ $topic }” was not read.
   *[other] { $number } documents that are not about “{ $topic }” were not read.
}
