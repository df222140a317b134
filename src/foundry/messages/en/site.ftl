site-skip = Skip to content
site-navigation = Main
site-nav-ask = Ask
site-nav-sources = Sources
site-nav-log = Log
site-logout = Log out
site-pane = Source
site-divider = Width of the source

site-ask = Ask
site-ask-title = Ask { $project }
site-ask-promise = Answers come only from the project’s sources, and every sentence shows where it comes from.
site-question = Your question
site-placeholder = Ask a question
site-follow-up = Ask a follow-up question
site-filters = Filters
site-filter-source = Document
site-filter-type = Type
site-filter-tag = Tag
site-filter-from = From
site-filter-to = To
site-all = All
site-suggestions = For example
site-recent = Asked before
site-no-sources = There are no sources yet.
site-add-source = Add a source

site-searching = Searching the sources …
site-checking = Checking each sentence against its source …
site-waiting = Waiting for other answers to finish …
site-stop = Stop
site-lost = The connection was lost before the answer was complete. Ask again.
site-understood = Understood as: { $question }

site-low-confidence = Low confidence: check the quotes before you use this answer.
site-uncovered = No source covers:
site-citation = Source { $number }: { $title }, { $place }
site-open-source = Open { $title }
site-sources-of-answer = { $n ->
    [one] Source
   *[other] Sources
}
site-computed = Calculated from the sources: { $values }
site-changes = { $n ->
    [one] One sentence changed or removed by checking
   *[other] { $n } sentences changed or removed by checking
}
site-conflict = The sources contradict each other
site-conflict-holds = Followed here: { $source } ({ $rule }).
site-superseded = Older revisions say something else

site-card-previous = Previous source of this sentence
site-card-next = Next source of this sentence
site-card-picture = The cited region of { $place }
site-card-open = Open at the quote
site-strength-strong = Fits the question well
site-strength-fair = Fits the question fairly
site-strength-weak = Fits the question weakly

site-copy = Copy with sources
site-docx = Word
site-permalink = Link
site-was-it-right = Was this right?
site-judge-correct = Correct
site-judge-wrong-source = Wrong source
site-judge-wrong-fact = Wrong fact
site-judge-missing = Something is missing

site-answer-without-text = This answer was logged without its text.
