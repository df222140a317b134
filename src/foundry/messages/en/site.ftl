site-skip = Skip to content
site-navigation = Main
site-nav-ask = Ask
site-nav-sources = Sources
site-nav-log = Log
site-nav-conversations = Conversations
site-nav-tables = Tables
site-nav-search = Search
site-nav-quality = Quality
site-nav-admin = Admin
site-nav-feedback = Feedback
site-nav-runs = Evaluation
site-nav-health = Health
site-nav-people = People
site-nav-audit = Audit
site-logout = Log out
site-session-over = Your session has ended. Log in again to continue.
site-token-help = Ask the project’s owner for a token.
site-pane = Source
site-divider = Width of the source

site-ask = Ask
site-ask-title = Ask { $project }
site-ask-promise = Answers come only from the project’s sources, and every sentence shows where it comes from.
site-question = Your question
site-placeholder = Ask a question
site-follow-up = Ask a follow-up question
site-filters = Filters
site-agent = Agent
site-agent-none = None
site-list-all = Read everything, for a list
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
site-again = Try again
site-question-long = A question has at most { $n } characters. Shorten it.
site-stop = Stop
site-stopped = Stopped. What you see has been verified; the rest was not written.
site-lost = The connection was lost before the answer was complete. Ask again.
site-complete = The answer is complete.
site-understood = Understood as: { $question }

site-low-confidence = Low confidence: check the quotes before you use this answer.
site-uncovered = No source covers:
site-citation = Source { $number }: { $title }
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
site-notices = { $n ->
    [one] One note on this answer
   *[other] { $n } notes on this answer
}
site-conflict = The sources contradict each other
site-conflict-holds = Followed here: { $source } ({ $rule }).
site-superseded = Older revisions say something else

site-passage = Passage { $number }: { $title }
site-nearest = Nearest to the question:
site-passage-same = The same in:

site-card-previous = Previous source of this sentence
site-card-next = Next source of this sentence
site-card-picture = The cited region of { $place }
site-card-open = Open at the quote
site-strength-strong = Fits the question well
site-strength-fair = Fits the question fairly well
site-strength-weak = Fits the question poorly

site-copy = Copy with sources
site-docx = Word
site-permalink = Link
site-permalink-role = Opens for the role { $role } and above, also where every cited source is public.
site-was-it-right = Was this right?
site-judge-correct = Correct
site-judge-wrong-source = Wrong source
site-judge-wrong-fact = Wrong fact
site-judge-missing = Something is missing

site-note = What is right, or missing?
site-was-it-there = Was the right passage here?
site-judge-passages-correct = It is here
site-judge-passages-wrong-source = It is not here

site-answer-without-text = This answer was logged without its text.

site-log-kind = Kind
site-log-outcome = Outcome
site-log-days = Period
site-log-last = { $n ->
    [one] Last day
   *[other] Last { $n } days
}
site-log-show = Show
site-log-more = Show more
site-log-time = Time
site-log-question = Question or document
site-log-seconds = Seconds
site-log-cost = Cost
site-seconds = { NUMBER($n, minimumFractionDigits: 1, maximumFractionDigits: 1) }
site-dollars = ${ NUMBER($n, minimumFractionDigits: 4, maximumFractionDigits: 4) }
site-log-empty = No entries match.
site-log-summary = { $n } entries: { $answered } answered, { $unsure } with low confidence, { $read } with passages, { $refused } without evidence, { $errors } failed.
site-kind-ask = Question
site-kind-chat = Conversation
site-kind-generate = Document
site-kind-verify = Verification
site-kind-eval = Evaluation
site-outcome-answer = Answered
site-outcome-low-confidence = Low confidence
site-outcome-passages = Passages
site-outcome-no-evidence = No evidence
site-outcome-error = Failed
site-pane-close = Close
site-to-citation = To the first citation of the answer
site-pane-pages = Pages
site-pane-loading = The source is being opened.
site-pane-previous = Previous citation
site-pane-next = Next citation
site-pane-find = Search in this source
site-pane-search = Search
site-pane-found-previous = Previous match
site-pane-found-next = Next match
site-pane-smaller = Smaller
site-pane-larger = Larger
site-pane-download = Download
site-pane-link = Copy link
site-pane-page = Page { $label }
site-pane-earlier = Show what comes before
site-pane-later = Show what follows
site-pane-changed = This source has changed since it was cited.
site-pane-gone = “{ $title }” cannot be opened. It was removed from the project, or you may no longer see it.

site-drop = Drop files here
site-choose = Choose files
site-upload = Add
site-name-taken = If another file has the name
site-name-refuse = Leave it out
site-tags = Tags
site-status-as-read = as in the document
site-level = Confidentiality
site-level-public = Public
site-level-internal = Internal
site-level-confidential = Confidential
site-level-secret = Secret
site-cancel = Cancel
site-cancelled = Cancelled: the sources are as they were; the file stays in its folder
site-cancelling = Cancelling …
site-cancelled-sending = Cancelled: nothing was sent
site-cancel-late = It was read before it could be cancelled. Remove it in its details.
site-unchanged = Unchanged since it was read
site-replaced = Another job reads this file
site-jobs-rest = And { $n } more wait
site-replace = Replace
site-keep-both = Keep both
site-sending = Sending …
site-waiting-job = Waiting to be read
site-reading = Being read …
site-stage-read = Reading
site-stage-store = Storing
site-stage-embed = Embedding
site-stage-summaries = Summarising
site-stage-prefixes = Describing chunks
site-read = Read
site-dismiss = Dismiss
site-details = Details
site-details-of = Details of { $path }
site-open = Open
site-attached-to = Attached to
site-attachments = Attachments
site-save = Save
site-saved = Saved
site-list-words = Name, title or tag
site-list-order = Order
site-order-path = Folder
site-order-title = Title
site-order-modified = Changed last
site-order-ingested = Read last
site-file = File
site-column-type = Type
site-column-revision = Revision
site-column-date = Date
site-column-status = Status
site-column-confidentiality = Confidentiality
site-column-state = State
site-column-size = Size
site-order-column = By column
site-file-read = Read
site-file-warned = Read with warnings
site-file-waiting = Waiting
site-file-failed = Not read
site-file-left_out = Left out
site-file-new = New in the folder
site-file-changed = Changed on disk
site-file-gone = File is gone
site-warnings-more = (and { $n } more)
site-later-revision = Later revision: { $path }
site-list-current = Current revisions only
site-list-clear = Show all
site-read-now = Read
site-remove-more = Remove …
site-remove-many = { $n ->
    [one] Remove this source?
   *[other] Remove { $n } sources?
}
site-remove-many-what = Their text is removed from the project: no answer uses it any more.
site-remove-files = Delete their files too. They cannot be brought back.
site-selection = With the selected sources
site-select-of = Select { $path }
site-select-page = Select all on this page
site-select-every = All { $n } sources that match
site-selected = % selected
site-tags-add = Add tags
site-tags-remove = Remove tags
site-as-it-is = No change
site-done-changed = { $n ->
    [0] Nothing had to be changed.
    [one] One source was changed.
   *[other] { $n } sources were changed.
}
site-done-removed = { $n ->
    [one] One source was removed.
   *[other] { $n } sources were removed.
}
site-done-waiting = { $n ->
    [0] Nothing has changed since it was read.
    [one] One file waits to be read.
   *[other] { $n } files wait to be read.
}
site-done-partly = { $done } done, { $failed } not:
site-folder-compare = Compare with the folder
site-folder-same = The folder is as it was read.
site-folder-new = { $n ->
    [one] One file is new
   *[other] { $n } files are new
}
site-folder-changed = { $n ->
    [one] One file has changed
   *[other] { $n } files have changed
}
site-folder-gone = { $n ->
    [one] One file is gone
   *[other] { $n } files are gone
}
site-as-revision = Add as a new revision
site-none-match = No source matches.
site-pages = Pages of the list
site-page-earlier = Previous
site-page-later = Next
site-page-range = { $first }–{ $last } of { $total }
site-read-files = { $n ->
    [one] Read one file
   *[other] Read { $n } files
}
site-read-folder = Read the folder
site-folder-nothing = Everything in the folder has been read.
site-read-again = Read again
site-remove = Remove
site-remove-title = Remove { $path }?
site-remove-what = Its text is removed from the project: no answer uses it any more.
site-remove-file = Delete the file { $path } too. It cannot be brought back.
site-remove-file-stays = Without this the file stays in its folder, and is added again when the folder is read.
site-summary = Summary
site-names = Names it is about or defines
site-tables = Tables as read
site-row = Row
site-chunks = Chunks as read
site-tokens = { $n } tokens
site-more-chunks = And { $n } more.
site-pane-cited-by = { $n ->
    [one] Cited in one answer
   *[other] Cited in { $n } answers
}

site-source-views = Views of this source
site-source-original = Original
site-source-read = As read
site-source-facts = Facts
site-part = Part { $n } of { $total }
site-go = Go
site-go-page = Page
site-go-part = Part
site-blocks = Blocks
site-blocks-none = Nothing was read here.
site-page-picture = Page { $label }; its words are listed as blocks
site-block = Block { $n }
site-block-of = Block { $n } of { $total }
site-block-kind = { $kind ->
    [heading] Heading { $level }
    [list_item] List item
    [table] Table
    [code] Code
    [caption] Caption
    [cue] Spoken
    [contents] Contents
   *[paragraph] Paragraph
}
site-block-ocr = OCR, { NUMBER($share, style: "percent") } sure
site-block-on-page = Show on the page
site-block-on-page-of = Show block { $n } on the page
site-block-correct = Correct
site-block-correct-of = Correct block { $n }
site-block-open-of = Open block { $n }
site-block-more = Show the rest: part 2 of { $n }
site-block-now = As it is used
site-block-long = This block is too long to be rewritten here. Correct a few words of it over the API or on the command line.
site-pieces = Parts of this block
site-corrected = Corrected
site-corrections = Corrections
site-citing = Cited in
site-citing-none = No answer or draft cites this source.
site-undo = Undo
site-undo-of = Undo: { $change }
site-preview = Preview
site-preview-citing = Answers and drafts that cite this
site-preview-none = No answer or draft cites this.
site-now = Now
site-then = Corrected
site-correct = Save the correction
site-correction-why = Reason, such as “the print says 16”
site-block-text = Text as printed
site-printed = Words as printed
site-grid = Table as it was read
site-grid-how = Choose a cell or a row to correct it.
site-cell = Cell { $name }
site-cell-empty = Cell { $name }, empty
site-row-n = Row { $n }
site-row-printed = Row as printed: “|” between cells, a line for each printed row
site-row-drop = Leave this row out
site-row-split = A new table begins here
site-structure = Header rows, header columns, merged cells
site-header-rows = Header rows: 2, or 3-4
site-header-columns = Header columns
site-span = Cells that are one
site-merge = The next table belongs to this one
site-heading-is = It is
site-heading-none = text
site-heading-words = Only these words of it
site-tables-more = And { $n } more under “As read”.
site-corrections-none = Nothing in this source was corrected.
site-table-uncertain = Labels in doubt

site-nav-verify = Verify
site-verify-promise = Each statement of a text, checked against the project’s sources. Nothing of it is kept but a line in the log.
site-verify-text = Text, in Markdown
site-verify-judge = Judge
site-verify-no-judge = None: rules only
site-verify-check = Check
site-verify-step = Checking against the sources: % statements …
site-judge-step = Judging what the rules leave open: % statements …
site-verify-lost = The connection was lost before the text was checked. Check it again.

site-search-words = Words or a question
site-search-promise = Passages nearest to your words, without an answer. Use the filters to limit the sources.
site-facets = Narrow the search
site-facet-type = Type
site-facet-tag = Tag
site-facet-folder = Folder
site-facet-confidentiality = Confidentiality
site-facet-year = Year
site-facet-revision = Revision
site-filter-drop = Search without { $filter }
site-found = Passages
site-found-passages = { $n ->
    [one] One passage
   *[other] { $n } passages
}, nearest first
site-found-none = Nothing was found.
site-ask-these = Ask about these sources

site-health-whole = Check the whole database
site-health-whole-done = The whole database was read.
site-health-good = Everything works.
site-health-bad = Something needs your attention.
site-leaves = What leaves this machine
site-leaves-nothing = Nothing leaves this machine.
site-leaves-some = Text is sent to the hosts below.
site-key = Setting
site-value-set = Value
site-host = Where
site-sent = What is sent
site-index = Index
site-index-sizes = { $chunks } chunks, { $vectors } vectors, { $pending } waiting to be embedded.
site-spent = Use of models
site-spent-total = { $n } entries in the log, { $tokens } tokens, ${ NUMBER($cost, minimumFractionDigits: 2, maximumFractionDigits: 2) }.
site-spent-unpriced = The cost of { $n } entries is unknown.
site-model = Model
site-calls = Entries
site-tokens-all = Tokens
site-person = Name
site-role = Role
site-made = Made
site-expires = Expires
site-used = Last used
site-ended = Ended
site-ended-tokens = { $n ->
    [one] One token that has ended
   *[other] { $n } tokens that have ended
}
site-revoke = Revoke
site-revoke-of = Revoke the token of { $name }
site-invite = Invite
site-invited = { $name } may use the project.
site-invited-once = Send this link now. It is shown only once.
site-invitation = Login link
site-expires-in = Expires after
site-period-12h = 12 hours
site-period-7d = 7 days
site-period-30d = 30 days
site-period-90d = 90 days
site-period-52w = A year
site-nobody = There are no tokens. The owner needs none on this machine.
site-audit-promise = Who did what through this server, without words of questions or sources.
site-action = Action
site-subject = Subject
site-address = Address
site-owner = Owner
site-earlier = Earlier
site-no-feedback = Nobody has judged an answer yet.
site-make-questions = Turn these into evaluation questions
site-make-questions-what = Answers marked right become the expected answers. For wrong ones, add the right answer first.
site-questions-made = { $added } questions added, { $updated } updated, { $same } unchanged, { $refused } left out.
site-said = Judgement
site-answer-gone = This answer is no longer in the log.
site-no-runs = No evaluation has been run yet.
site-run = Run
site-run-against = Compared with
site-run-before = Previous run
site-run-asked = { $n } questions of { $sets }.
site-run-common = { $n } of them are compared with { $other }.
site-measures = Measures
site-measure = Measure
site-difference = Difference
site-interval = 95 % interval
site-run-changed = { $n ->
    [one] One question changed
   *[other] { $n } questions changed
}
site-run-worse = Worse
site-run-better = Better
site-run-changed-one = Changed
site-sign-in = Sign in through { $provider }
site-signed-in = Signed in. Continue
site-turns = { $n ->
    [one] One question
   *[other] { $n } questions
}
site-change = Change
site-change-of = Change { $title }
site-title = Title
site-off-list = Remove from this list
site-off-list-what = The log keeps the questions.
site-no-conversations = No conversation matches.
site-share = Share
site-share-with = Share with the role
site-share-what = Creates a copy for this role. The role must be allowed to see every cited source.
site-tables-promise = Ask every source the same questions. Each cell has the source's answer with its quote and location, or is empty if there is none. Approve, correct or reject it.
site-table-name = Name
site-table-rows = Rows
site-table-columns = Questions
site-table-run = Last run
site-table-unfinished = Not finished
site-table-new = New table
site-table-questions = Questions, one per line
site-table-make = Ask every row
site-table-size = The project has { $n } sources.
site-table-confirmed = Ask all of them
site-table-step = { $done } of { $total } cells
site-no-tables = There are no tables yet.
site-table-facts = { $rows } { $by ->
    [section] sections
   *[source] sources
}, { $columns } questions.
site-table-again = Run again
site-table-remove-sure = Remove this table with its answers and decisions?
site-table-look = Quote and decision
site-table-right = Right value
site-table-by = Your name
site-table-approve = Approve
site-table-correct = Correct
site-table-reject = Reject

site-nav-documents = Documents
site-nav-agents = Agents
site-documents-promise = A specification defines what a document must contain. Once approved, Foundry writes a draft from it, citing a source for each sentence. Accepted drafts are built into the final document.
site-specifications = Specifications
site-specification = Specification
site-specification-draft = Draft
site-specification-approved = Approved
site-specification-changed = Changed since approval
site-specification-broken = Cannot be read
site-specification-new = New specification
site-specification-make = Create
site-specification-delete = Delete the specification
site-specification-delete-sure = Delete “{ $title }”? Drafts written from it are kept.
site-no-specifications = There are no specifications yet.
site-state = State
site-sections = Sections
site-sections-what = In document order. Foundry searches the sources for each line of a section's contents. Clear a title to remove its section. Other text is in the Markdown view.
site-section = Title of the section
site-section-form = Type of section
site-section-wants = Contents, one item per line
site-section-add = Add a section
site-form-any = Any
site-form-prose = Prose
site-form-steps = Numbered steps
site-form-list = A list
site-form-table = A table
site-form-figures = Figures
site-form-quote = Quotations
site-hierarchy = Most trusted sources first, one pattern per line
site-hierarchy-what = If sources contradict each other, the source with the first matching pattern wins. Example: sources/service/*
site-view = Shown as
site-view-form = Form
site-view-markdown = Markdown
site-markdown = Text, in Markdown
site-problems = Problems
site-problem-blocks = Prevents approval
site-problem-hint = Note
site-problem-line = Line { $line }:
site-no-problems = No problems.
site-check = Check
site-newer-specification = Someone else saved a newer version. Your text below is not saved. Copy what you need from the newer version, then save again to replace it.
site-newer = The newer text
site-yours = Your text, not saved
site-since-approved = Changed since it was approved
site-approved-not-kept = The approved text is not stored here, so differences cannot be shown.
site-approval = Approval
site-approval-what = By approving, you confirm that the document must contain this. Any later change ends the approval.
site-approval-revoke = Revoke the approval
site-approved-by = Approved by { $by }
site-by-agent = New document from an agent
site-topic = What the document is about
site-none = None
site-plan = Plan
site-plan-of = Plan { $title }
site-plan-title = Plan: { $topic }
site-plan-promise = The evidence for the document. Nothing has been written yet.
site-plan-cost = { $n } sections, { $tokens } prompt tokens. The model’s context window has { $window }.
site-plan-quoted = The sections consist of sentences from the sources. No language model is used, so there is no cost.
site-plan-used = Planning used { $n } calls and { $tokens } tokens.
site-plan-tight = The prompts almost fill the model’s context window.
site-no-other-text = There is no earlier text yet.
site-plan-conflicts = { $n ->
    [one] The sources contradict each other in one place
   *[other] The sources contradict each other in { $n } places
}
site-plan-gap = No evidence
site-plan-needs = Missing: { $needs }
site-plan-left-out = { $n } passages do not fit in the model’s context window.
site-write = Write the draft
site-write-again = Write again
site-write-over = Replace the existing draft; if it was edited, keep a copy
site-write-fresh = Rewrite unchanged sections
site-write-step = % sections
site-write-lost = The connection was lost. Finished sections are kept; write again to continue.
site-write-stopped = Stopped. Finished sections are kept.
site-drafts = Drafts
site-draft = Draft
site-draft-as-written = Needs review
site-draft-edited = Edited, needs review
site-draft-missing = File missing
site-draft-check = Check all sentences
site-draft-compare = What changed
site-draft-count = Sentences: { $total }; needing attention: { $doubted }; open remarks: { $remarks }.
site-draft-gaps = Missing from the draft
site-no-drafts = Nothing has been written yet.
site-written = Written
site-coverage = Verified when written
site-percent = { $n } %
site-remarks-open = Open remarks
site-accepted-by = Accepted by { $by }
site-stale = Out of date
site-not-checked = Not checked
site-edited = Edited
site-edit = Edit
site-edit-of = Edit { $title }
site-edit-what = Saving checks the sentences that you changed against the sources. Marks such as [^1] are citations.
site-save-check = Save and check
site-newer-draft = Someone else changed the same lines. Nothing is lost: copy what you need from the newer text, then save again to replace it.
site-remark = Remark
site-remark-on = Remark on sentence { $n }
site-remark-text = Remark
site-remark-add = Add remark
site-remark-resolve = Resolve
site-remark-reopen = Reopen
site-remark-resolved = resolved by { $by }
site-remark-changed = Original sentence:
site-remarks-lost = Remarks on removed sentences
site-acceptance = Acceptance
site-acceptance-what = By accepting, you confirm that the draft may go to the client as it is. Any later change ends the acceptance.
site-acceptance-owner = The project’s owner accepts drafts.
site-acceptance-note = Note
site-accept = Accept
site-unchecked = These sentences could not be checked. I have read them and accept them:
site-compared-with = Compared with
site-diff-count = Differences: { $changes }; unchanged sentences: { $same }.
site-version-written = as written
site-version-saved = as edited
site-version-now = now
site-delivery = Delivery
site-delivery-what = The final document combines all accepted drafts, with a cover, table of contents and list of sources.
site-build = Build and download
site-build-blocked = It cannot be built yet:
site-build-nothing = There is no approved specification and no accepted draft from an agent.
site-build-stale = Build even if parts are out of date
site-built = Last files
site-format = Format
site-format-docx = Word
site-format-pdf = PDF
site-format-html = HTML
site-format-md = Markdown
site-agents-promise = An agent defines the content and style of a kind of text. Foundry includes several; a project can add its own.
site-agent-output = Writes
site-agent-for = For
site-agent-from = File
site-agent-shipped = Built in
site-agent-file = Its file
site-agent-copy = Copy
site-agent-new-name = Name of the copy
site-agent-delete = Delete the agent
site-agent-delete-sure = Delete the agent { $name }?
site-output-answer = Answers
site-output-document = Documents
site-remarks-left = { $n ->
    [one] One remark is still open.
   *[other] { $n } remarks are still open.
}
site-revisions = Revisions of this document
site-revision-current = Current
site-link = Link an older revision
site-link-older = Older source
site-unlink = Not the same document
site-unlink-of = { $path } is not the same document
site-nav-questions = Questions
site-progress = Progress
site-run-step = { $done } of { $total } questions
site-work-lost = The connection was lost. What is done is kept, and this page tries again every second.
site-run-goes-on = You can close this page: the evaluation goes on, and the page shows it when you come back.
site-run-broken-off = The run { $name } was stopped after { $done } of { $of } questions.
site-run-continue = Continue
site-run-set = Set
site-run-all = All ({ $n })
site-run-search = Search only, write no answers
site-run-now = Run the evaluation
site-run-free = No model is called: the questions cost nothing.
site-no-questions = There are no evaluation questions yet.
site-make-set = Make some
site-drafts-wait = { $n ->
    [one] One drafted question waits for a review
   *[other] { $n } drafted questions wait for a review
}
site-runs = Runs
site-run-errors = Errors
site-milliseconds = { NUMBER($n, useGrouping: 1) } ms
site-figure-latency-p50-ms = Median time
site-figure-latency-p95-ms = 95 % within
site-figure-latency-max-ms = Longest
site-figure-retrieval-p50-ms = Search, median
site-figure-retrieval-p95-ms = Search, 95 % within
site-figure-tokens = Tokens
site-figure-cost = Cost
site-curve = Refusals and wrong answers
site-curve-title = Share of questions that are refused wrongly, and that show no right answer, by the gate's threshold
site-curve-chosen = At the threshold in use, { NUMBER($threshold, minimumFractionDigits: 2) }, { $refused } of { $answerable } answerable questions were refused, and { $wrong } of the { $passed } questions that were let through showed no right answer.
site-curve-threshold = Threshold
site-curve-refused = Answerable questions that are refused
site-curve-wrong = Shown without a right answer, of all questions
site-curve-used = In use: { NUMBER($threshold, minimumFractionDigits: 2) }
site-curve-in-use = in use
site-curve-rules = A rule refuses { $n } of the questions at every threshold, such as those about something that no source names.
site-curve-table = The figures
site-curve-refused-wrongly = Refused wrongly
site-curve-refused-rightly = Refused rightly
site-curve-passed-wrongly = Shown without a right answer
site-curve-passed = Let through
site-questions-promise = An evaluation asks questions whose answers are known. Draft some from the sources, turn feedback into questions, or import a file on the command line.
site-draft-questions = Draft questions from the sources
site-draft-by-model = A language model drafts 20 questions, each with the words that answer it.
site-draft-from-tables = Without a language model, questions are drafted from tables only.
site-draft-step = { $done } of { $total } passages
site-draft-unanswerable = No source should answer this.
site-drafts-read = Accept what a reader would ask and what the quoted words answer. Drafts count only when accepted.
site-drafts-accept = Accept the ticked ones
site-drafts-reject = Remove the ticked ones
site-sets = Sets
site-set-answerable = Answerable
site-set-unanswerable = Not answerable
site-set-waiting = To review
site-start = Add the documents that questions are to be answered from. Nothing leaves this server unless a model elsewhere is set up.
site-start-reading = The files are being read. Questions to begin with appear here.
site-start-asking = Looking for questions that your files answer …
site-suggest = Suggest questions
site-start-invite = Invite a colleague
site-invited-here = The link leads to this computer only. To let others in, set web.host and web.hosts in foundry.yaml and start the server again.
site-table-row = Rows
site-table-by-source = Sources
site-table-by-section = Sections of sources
site-table-goes-on = You can close this page: the table goes on, and finished cells are kept.
site-projects = Projects
site-project = Project
site-chunks-head = Chunks
site-folder = Folder
site-projects-words = Part of the folder's name
site-projects-shown = { $shown } of { $all }
site-projects-next = Next
site-projects-none = There is no project that you may open.
site-projects-not-found = No project folder has this in its name.
site-projects-skipped = { $n ->
    [one] { $n } folder is not served
   *[other] { $n } folders are not served
}
site-give-role = Give the role
site-give-role-help = The person logs in with a token of this server, or through the identity provider, and is named as there. People with a role in all projects are not listed.
site-withdraw = Withdraw
site-withdraw-of = Withdraw the role of { $name }
site-nobody-here = Nobody has a role in this project alone.
