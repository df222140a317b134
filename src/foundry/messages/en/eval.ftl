eval-file-no-lines = The file has no usable line.
    .fix = Use a UTF-8 file with one JSON object on each line (JSON Lines).
eval-line-left-out = { $file }, line { $line } was left out: { $reason }
eval-lines-left-out = Further lines left out: { $n }.
eval-nothing-in-common = Run { $run } has no question in common with these, asked in the same words and with the same expectations.
    .fix = Compare runs over the same questions: `foundry eval runs` lists them all.
eval-run-unfinished = Run { $run } is not finished: only its questions so far are compared.
eval-kinds-differ = One run wrote answers and the other only searched: its verdicts are the gate's.
eval-same-run = Both are the same run.
eval-measure-of-answers = { $measure } is a measure of answers, and --retrieval-only writes none.
    .fix = Remove --retrieval-only, or bound another measure, such as { $other }.
eval-measure-unknown = There is no measure '{ $measure }'.
    .fix = The measures are: { $measures }.
eval-measure-unknown-near = There is no measure '{ $measure }'. Did you mean { $near }?
    .fix = The measures are: { $measures }.
eval-measure-higher-is-better = { $measure } is better when higher.
    .fix = Use --fail-below { $measure }=VALUE.
eval-measure-lower-is-better = { $measure } is better when lower.
    .fix = Use --fail-above { $measure }=VALUE.
eval-bound-not-number = '{ $value }' is not a number.
    .fix = Write for example { $option } { $measure }=0.9.
eval-set-name-invalid = '{ $name }' is not a valid set name.
    .fix = Use letters, digits, dots, dashes and underscores; start with a letter or digit.
eval-id-invalid = The id is empty, has a line break or is longer than { $limit } characters.
    .fix = Use a short id, such as q1.
eval-row-invalid = The { $name } is { $value }, not { $kind ->
    [flag] true or false
    [whole] a whole number
    [number] a number of 0 or more
    [spans] pairs of a start and a later end
   *[text] a whole text
}.
    .fix = { $kind ->
    [flag] Use true or false.
    [spans] Use [[START, END], …].
   *[other] Correct it, or leave it out.
}
eval-questions-repeated = Lines with the id of an earlier question ({ $times }): { $names }. With --replace the last one counts.
eval-row-no-question = The row has no question.
    .fix = Add the question as "text".
eval-row-question-too-long = The question has { $n } characters; the limit is { $limit }.
    .fix = Shorten it. Is this a file of documents rather than questions?
eval-row-contradicts-itself = It says both answerable and unanswerable.
    .fix = Remove one of the two.
eval-row-unanswerable-with-place = The question is marked unanswerable but names a place with the answer.
    .fix = Remove the sources, or remove answerable: false.
eval-row-no-source = The row has { $names } but no source.
    .fix = Add "source", a path.
eval-first-few = { $names } and { $n } more
eval-file-no-questions = The file has no questions.
    .fix = Put one question on each line: JSON objects, or CSV with a header.
eval-file-missing = The file { $file } does not exist.
    .fix = Check the name and its folder.
eval-file-unreadable = The file cannot be read: { $reason }.
    .fix = Check the name and the permissions.
eval-file-not-text = { $reason }
    .fix = Give a JSON Lines file, a CSV file or a BEIR folder; save a workbook as CSV.
eval-file-warning = { $file }: { $warning }
eval-file-encoding = { $file } is not UTF-8; it was read as { $encoding }.
eval-file-json-list = The file begins as a JSON list, but is not JSON.
    .fix = Save it again from the program that made it, or write one object on each line.
eval-refused-not-json = It is not JSON: { $reason } at column { $column }.
    .fix = Correct the line: one object, such as {"{"}"text": "…", "source": "…"{"}"}.
eval-refused-too-large = The JSON is too large or too deeply nested.
    .fix = Correct the line: one object, such as {"{"}"text": "…", "source": "…"{"}"}.
eval-refused-not-object = It is JSON, but not an object.
    .fix = Correct the line: one object, such as {"{"}"text": "…", "source": "…"{"}"}.
eval-refused-not-csv = It is not CSV: { $reason }.
    .fix = Close every double quote; double it inside a cell.
eval-refused-cells = It has { $cells } cells under { $columns } columns.
    .fix = Put double quotes around cells that contain separators.
eval-refused-not-judgement = It is not query id, document id, relevance.
    .fix = Separate the three columns with tabs; relevance is a whole number.
eval-file-empty = The file is empty.
    .fix = Add a header and one row per question.
eval-file-no-text-column = The file has no column called text, question or query: { $header }
    .fix = Name the columns in the first line: id, text, source, page, answer, answerable …
eval-fields-ignored = { $file }: unknown fields were ignored: { $names }.
eval-folder-no-queries = The folder has no queries.jsonl.
    .fix = Give a folder with queries.jsonl and qrels.tsv (or qrels/*.tsv), or a file.
eval-judgements-unanswerable = { $file }: judgements for queries marked unanswerable were left out ({ $n }): { $names }.
eval-judgements-unknown = { $file }: judgements for queries that are missing from queries.jsonl ({ $n }): { $names }.
eval-folder-no-qrels = { $file }: without qrels.tsv or qrels/*.tsv no question has an expected source.
eval-path-is-folder = This is a folder.
    .fix = Name a file in it, or use --format beir.
eval-id-taken = The id { $key } is taken: the stored question differs.
    .fix = Change the id, import into another --set, or use --replace to keep this version.
eval-id-repeated = The id { $key } is taken: { $earlier } has it with other content.
    .fix = Change the id, import into another --set, or use --replace to keep this version.
eval-sources-unknown = Expected sources that are not in the project ({ $n }, named { $times } times): { $names }. The questions are stored; ingest those sources and import again.
eval-sources-guessed = Sources matched by name or title only: { $names }.
eval-places-not-found = Places that were not found as described ({ $n }): { $names }.
eval-languages-unknown = Questions in an unknown language, stored as und ({ $n }): { $names }.
eval-place-named = { $name } ({ $why })
eval-place-problem = { $id }: { $problem }
eval-match-title = its title
eval-match-file-name = its file name
eval-match-none = no source has this name
eval-several-match = { $n } sources match: { $paths }
eval-place-no-pages = { $path } has no pages, so page { $page } is ignored
eval-place-no-section = { $path } has no section '{ $section }'
eval-spans-beyond-end = { $path } has { $n } characters; spans beyond its end were left out
eval-spans-mismatch = the spans in { $path } do not match the quotes; the quotes were searched for
eval-words-missing = { $path } does not contain the words { $words }
eval-no-words-then = { $path } has no words at { $seconds } seconds
eval-language-unknown = Unknown language: '{ $name }'.
    .fix = Use a code such as nl or en, or omit the option to detect the language.
eval-id-of-another = The id { $key } belongs to another question: { $text }
    .fix = Use another --id, or first run `foundry eval remove { $key }`.
eval-one-source-needed = { $option } needs exactly one --source; there are { $n }.
    .fix = Name one source; `foundry eval import` accepts several places with pages.
eval-span-invalid = Not a valid span: '{ $text }'.
    .fix = Use PATH:START-END in characters of the source's text, such as a.md:120-180.
eval-source-unknown = The source '{ $name }' is not in this project: { $why }.
    .fix = { $hint }Run `foundry sources list` to see all sources.
eval-did-you-mean = Did you mean { $names }?{" "}
eval-place-unknown = The place was not found: { $problem }.
    .fix = Run `foundry sources show { $source }` to see its pages and sections.
eval-quote-nowhere = No source contains the words '{ $words }'.
    .fix = Copy them from the source's text; `foundry search` shows passages.
eval-no-feedback = Nobody has given feedback yet.
    .fix = Run `foundry log feedback QUERY_ID --correct` (or --incorrect).
eval-feedback-gone = The log no longer has the answer.
    .fix = Ask again and give feedback on the new answer.
eval-feedback-other-kind = It is a row of { $kind }, not a question.
    .fix = Give feedback on answers of ask and chat.
eval-feedback-redacted = The log did not keep its words (log.redact).
    .fix = Run `foundry eval add QUESTION` to add it by hand.
eval-feedback-changed = { $key } was changed since and is left alone.
eval-feedback-words-gone = { $key }: its sources no longer contain the answer's words; the whole first source is expected.
eval-feedback-passages = { $key }: passages were shown, and which of them has the answer is not known; the first source is expected until you say where.
eval-feedback-sources-gone = { $key }: its sources are no longer in the project; no source is expected.
eval-which-questions = Which questions?
    .fix = Name ids, or use --set NAME or --all.
eval-question-unknown = There is no question '{ $name }'.
    .fix = Run `foundry eval list` to see the ids.
eval-question-several = Several sets have a question '{ $name }'.
    .fix = Use one of: { $keys }.
eval-set-unknown = There is no set of questions '{ $name }'.
    .fix = Existing sets: { $known }. Create one with `foundry eval import FILE --set { $name }`.
eval-no-sets = There is no set of questions '{ $name }'.
    .fix = There are no sets yet. Create one with `foundry eval import FILE --set { $name }`.
eval-accepted-before = { $key } was accepted before.
    .fix = Run `foundry eval remove { $key }` instead.
eval-unlabelled = { $n } of them have neither a label nor a place ({ $first } …): a run can measure little more than their latency.
eval-draft-no-sources = There are no sources to draft from.
    .fix = Run `foundry ingest` first.
eval-draft-stopped = { $reason }
    .fix = Check the model with `foundry doctor`, or set generation to builtin/passages.
eval-draft-two-answers = the source answers it in two ways
eval-draft-table-question = What is “{ $column }” of “{ $row }” in the table “{ $table }” of “{ $title }”?
eval-draft-tables-only = Without a language model only cells of tables were asked about; set generation.model to draft from prose too.
eval-draft-needs-model = No table of the sources has cells to ask about, and drafting from prose needs a language model.
    .fix = Set generation.model, write questions with `foundry eval add`, or import them with `foundry eval import FILE`.
eval-draft-model = The model: { $reason }
eval-draft-fewer = The sources gave { $made } of the { $wanted } questions.
eval-draft-fewer-unanswerable = Only { $made } of the { $wanted } unanswerable questions could be made: they need an identifier such as E05 in a question.
eval-draft-a-question = a question
eval-draft-length = the question is too short or too long
eval-draft-speaks-of-text = it refers to the passage, which the person asking has not seen
eval-draft-no-answer = it has no answer
eval-draft-no-quote = it has no quote, or a quote that is too long
eval-draft-quote-elsewhere = its quote is not in the passage: { $quote }
eval-draft-window-too-small = The context window is too small for a passage of the sources.
eval-draft-reply-not-json = The reply was not JSON of the requested form.
eval-gate-unmentioned = no source mentions { $words }
eval-gate-nothing-found = nothing was found
eval-fit-left-out = { $key } was left out: { $error }
eval-fit-only-lowered = { $n } answerable questions are too few to place a threshold ({ $needed } are needed), so it was only lowered.
eval-fit-all-pass = { $n } answerable questions cannot promise a bound below { NUMBER($least, style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1) }, so the threshold lets all of them pass.
eval-fit-threshold-only = { $n } unanswerable questions are too few to fit a slope ({ $needed } are needed), so only the threshold was moved.
eval-fit-scores-only = retrieval.min_score is 0: nothing is refused, so only the scores were fitted.
eval-fit-rules = The rules alone refuse { $n } of { $of } answerable questions ({ NUMBER($share, style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1) }), more than the bound of { NUMBER($bound, style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1) }; no constants can keep it.
eval-fit-own-constants = The project's own constants of { $made } were fitted to these questions and are not compared; the shipped ones are.
eval-fit-both-kinds = Calibration needs reviewed questions of both kinds; { $answerable } are labelled answerable and { $unanswerable } unanswerable.
    .fix = Label questions, add some with `foundry eval add` or `foundry eval import FILE`, or draft some with `foundry eval draft` and accept them.
eval-verdict-fit-keeps = Only the fit keeps the bound of { NUMBER($bound, style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1) }.
eval-verdict-shipped-keeps = Only the shipped constants keep the bound of { NUMBER($bound, style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1) }.
eval-verdict-breaks-less = Both break the bound of { NUMBER($bound, style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1) }, the fit less.
eval-verdict-breaks-more = Both break the bound of { NUMBER($bound, style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1) }, the fit more.
eval-verdict-refuses-more = Clearly more is refused rightly.
eval-verdict-refuses-less = Clearly less is refused rightly.
eval-verdict-same-decisions = The decisions are about the same; { $scores }.
eval-verdict-scores-better = the scores are better calibrated
eval-verdict-scores-not-better = the scores are no better calibrated
eval-changed-kind = only one of them writes answers
eval-changed-config = the configuration changed
eval-changed-versions = models, prompts or programs changed
eval-changed-index = the index changed
eval-changed-questions = the questions changed
eval-no-runs = There is no run '{ $name }'.
    .fix = Run `foundry eval run` first.
eval-run-unknown = There is no run '{ $name }'.
    .fix = Did you mean one of { $near }? `foundry eval runs` lists all.
eval-run-locked = Another process is running '{ $name }'.
    .fix = Wait until it is done, or choose another --name.
    .request = Wait until it is done, or choose another name.
eval-run-cannot-resume = Run { $run } was interrupted and cannot resume: { $changed }.
eval-run-resumes = Resuming run { $run }: { $done } of { $of } done.
eval-fixed-project = questions and runs are stored under the project's id
eval-fixed-storage = the run is stored in the project's own database
eval-fixed-output = a run writes no document
eval-fixed-log = runs do not measure the query log
eval-fixed-web = runs do not measure the browser application
eval-fixed-sources = a run asks the sources that the project has
eval-none-reviewed = None of these questions has been reviewed; { $n } are waiting.
    .fix = Read them with `foundry eval list` and accept the good ones with `foundry eval accept`.
eval-tag-unknown = No question has the tag '{ $tag }'.
    .fix = Did you mean '{ $near }'? `foundry eval list` shows all tags.
eval-no-questions = There are no questions to ask.
    .fix = Add one with `foundry eval add`, import many with `foundry eval import FILE`, or draft some with `foundry eval draft`.
eval-no-question-has-tag = No question in these sets has this tag.
    .fix = Add one with `foundry eval add`, import many with `foundry eval import FILE`, or draft some with `foundry eval draft`.
eval-run-name-invalid = A run's name needs a letter and at most { $limit } characters: a plain number is the number of a run.
    .fix = Choose a name such as --name small-chunks.
    .request = Choose a name such as small-chunks.
eval-not-key-value = '{ $text }' is not KEY=VALUE.
    .fix = Write for example -o retrieval.top_k=20.
eval-key-fixed = { $key } cannot be changed for a run: { $reason }.
    .fix = Remove it, or change foundry.yaml.
eval-key-not-remote = { $key } can only be changed on the command line.
    .fix = Over HTTP a run may change: { $known }.
eval-model-has-no-effect = generation.model has no effect here: { $key } overrides it.
    .fix = Use -o { $key }={ $value }.
eval-role-above = The role '{ $wanted }' is above this project's role '{ $role }'.
    .fix = A role can only be lowered.
eval-vectors-rebuilt = its vectors were completed or rebuilt
eval-index-changed = The index changed during the run: { $changes }.
eval-source-changed = { $path } was { $how }
eval-replies-cached = { $n } model replies came from the cache, so their times are not the model's.
eval-asked-at-a-time = { $n } questions were asked at a time, so each took longer.
eval-index-lacks = The index lacks places that { $n } questions expect ({ $names }); { $unjudged } of them have no ranking figure.
eval-notice-of-many = { $n } of { $of } questions: { $notice }
eval-side-no-files = No source of this project has a file to index again.
    .fix = Run `foundry ingest` first; a run then tries the overrides on the same sources.
eval-side-failed = Not in the side index: { $path }: { $reason }
eval-side-file-gone = { $path } has no file any more, so the side index lacks it.
eval-side-file-changed = { $path } changed since the project ingested it.
eval-run-interrupted = Interrupted: run { $run } has { $kept } of { $of } questions.
    .fix = Run the same command again to resume.
eval-keys-unused = { $name }: search does not use { $keys }; nothing changes here.
eval-config-unreadable = Cannot read the configuration: { $reason }.
    .fix = Give a YAML file with any part of foundry.yaml.
eval-config-own-project = { $key } cannot be set here: a data set has its own project.
    .fix = Remove { $key }.
eval-set-skipped_files = Files left out: neither text nor Markdown, or unreadable: { $names }.
eval-set-duplicate_documents = Documents left out: their id is already in use: { $names }.
eval-set-duplicate_queries = Queries left out: their id is already in use: { $names }.
eval-set-unknown_documents = Judgements left out: the set has no such documents: { $names }.
eval-set-wrong_spans = Queries with spans left out: they do not fit their document: { $names }.
eval-set-no-text = There is no text file.
    .fix = Add { $endings } files.
eval-set-file-missing = There is no { $name }.
    .fix = Give a folder with corpus.jsonl (or files/), queries.jsonl and qrels.tsv (or qrels/*.tsv).
eval-line-no-text = It has no text.
eval-line-no-id = It has neither id nor _id.
eval-set-nothing-judged = No query has a judgement of a document in the set, or says whether it is answerable.
    .fix = Add lines of query id, document id and relevance to qrels.tsv, with ids from queries.jsonl and corpus.jsonl.
eval-set-not-searched = Queries not searched, as they have no judgement or label: { $names }.
eval-set-failed = Queries that failed and are left out of the figures: { $names }.
eval-set-empty-documents = Documents without text, which no search can find: { $names }.
eval-set-altered = Documents whose stored text differs; their spans do not count: { $names }.
eval-names = { $first }, { $other }
eval-place-no-page = { $path } has { $n } pages, not { $page }
eval-breach-undefined = { $measure } is undefined; its bound is { NUMBER($limit, maximumFractionDigits: 6) }
eval-breach-above = { $measure } is { NUMBER($value, maximumSignificantDigits: 4) }, above { NUMBER($limit, maximumFractionDigits: 6) }
eval-breach-below = { $measure } is { NUMBER($value, maximumSignificantDigits: 4) }, below { NUMBER($limit, maximumFractionDigits: 6) }
eval-differs-version = version { $name }
eval-differs-kind = kind of run
eval-differs-index = index
eval-differs-jobs = questions at a time
eval-fit-shipped = shipped
eval-fit-shipped-words = shipped, for words alone
eval-fit-title-after = Calibration of the gate, after
eval-fit-axis-score = gate score
eval-fit-axis-true = share answerable
eval-fit-part = PART
eval-fit-before = before
eval-fit-after = after
eval-fit-all = all
eval-fit-one-language = one language
eval-fit-across-languages = across languages
eval-fit-column-questions = N
eval-fit-column-auroc = AUROC
eval-fit-column-gate_false_refusal_rate = REFUSED WRONGLY (95 %)
eval-fit-column-gate_refusal_recall = REFUSED RIGHTLY
eval-fit-column-gate_refusal_precision = PRECISION
eval-fit-column-calibration_error = CALIBRATION ERROR
eval-figure-undefined = undefined
eval-figure-ms = { NUMBER($value, minimumFractionDigits: 0, maximumFractionDigits: 0) } ms
eval-figure-cost = { NUMBER($value, minimumFractionDigits: 4, maximumFractionDigits: 4) } USD
eval-figure-whole = { NUMBER($value, minimumFractionDigits: 0, maximumFractionDigits: 0) }
eval-figure-share = { NUMBER($value, minimumFractionDigits: 3, maximumFractionDigits: 3) }
eval-figure-score = { NUMBER($value, minimumFractionDigits: 2, maximumFractionDigits: 2) }
eval-figure-percent = { NUMBER($value, style: "percent", maximumFractionDigits: 0) }
eval-score-refused = { NUMBER($value, minimumFractionDigits: 2, maximumFractionDigits: 2) } refused
eval-measures-shown = { $n } of { $of } measures; -v shows all.
eval-run-head = Run { $run } ({ $name }, { $kind }): { $n ->
    [one] { $n } question
   *[other] { $n } questions
} of { $sets }
eval-run-head-so-far = Run { $run } ({ $name }, { $kind }): { $n } of { $of } questions of { $sets }
eval-run-with = With { $keys }
eval-run-figures-so-far = Not finished: these are the figures so far. The same command resumes it.
eval-run-counts = { $errors ->
    [one] { $errors } error
   *[other] { $errors } errors
}, { $answerable } answerable, { $unanswerable } unanswerable, { $unlabelled } unlabelled, { $judged } judged, { $answered } answered, { $passages } with passages, { $refused } refused
eval-trust-shown = All answers
eval-trust-answer = Answers without a mark
eval-trust-low_confidence = Answers of low confidence
eval-trust-passages = Passages
eval-trust-no_evidence = Refusals
eval-run-took = Took { NUMBER($whole, minimumFractionDigits: 1, maximumFractionDigits: 1) } s; the questions alone { NUMBER($questions, minimumFractionDigits: 1, maximumFractionDigits: 1) } s
eval-run-error = Error in { $key }: { $error }
eval-run-errors-more = { $n ->
    [one] { $n } more error
   *[other] { $n } more errors
}; `foundry eval runs { $run } --questions` lists all.
eval-label-true = answerable
eval-label-false = unanswerable
eval-verdict-error = error: { $error }
eval-never-found = never
eval-option-needs-run = { $option } needs a RUN; `foundry eval runs` lists them.
eval-no-runs-yet = No runs yet. Start one with `foundry eval run`.
eval-of = { $n } of { $of }
eval-index-removed = Removed { $path }, { NUMBER($size, minimumFractionDigits: 1, maximumFractionDigits: 1) } MB.
eval-indexes-left = { $n ->
    [one] { $n } side index
   *[other] { $n } side indexes
}, { NUMBER($size, minimumFractionDigits: 1, maximumFractionDigits: 1) } MB; --clear-indexes removes them.
eval-run-removed = Removed run { $run } ({ $name }).
eval-run-repeated = { $name } is run { $run }, which is named before: the report shows it once.
eval-report-unfinished = Run { $run } ({ $name }) is not finished: the report covers its questions so far.
eval-report-extension = The report is a page, so its name cannot be { $name }.
    .fix = Use .html.
eval-report-written = Wrote { $path }: { $n ->
    [one] { $n } run
   *[other] { $n } runs
}, { $size } kB.
eval-import-what = Name the files to import, or use --feedback.
eval-import-refused = Refused { $line }: { $reason }
    .fix = {"  "}Next: { $fix }
eval-import-refused-more = … and { $n } more; -v shows them all.
eval-added = { $n } added
eval-updated = { $n } updated
eval-unchanged = { $n } unchanged
eval-refused = { $n } refused
eval-import-done = { $n ->
    [one] { $n } question
   *[other] { $n } questions
}: { $parts }.
eval-drafted = { $n ->
    [one] { $n } question
   *[other] { $n } questions
} drafted{ $kept ->
    [0] {""}
   *[other] , { $kept } existed before
}.
eval-drafted-review = Review them, then run `foundry eval accept --set { $set }`.
eval-worse = Failed: { $change } than run { $run } ({ $name }).
eval-failed = Failed: { $breach }.
eval-nothing-worse = Nothing is clearly worse than run { $run } ({ $name }), over { $n ->
    [one] { $n } question
   *[other] { $n } questions
}.
eval-measure-lost = { $measure } is undefined and was { $first }: worse
eval-measure-worse = { $measure } went from { $first } to { $second } ({ $moved }, 95 % { $low } to { $high }): worse
eval-compared-run = { $letter }: run { $run } ({ $name }, { $kind }) of { $sets }
eval-in-common = { $n ->
    [one] { $n } question
   *[other] { $n } questions
} in common
eval-in-common-left-out = { $n ->
    [one] { $n } question
   *[other] { $n } questions
} in common; left out: { $parts }
eval-nothing-differs = Configuration, versions and index are the same.
eval-only-first = { $n } only in A
eval-only-second = { $n } only in B
eval-text-changed = { $n } asked in other words
eval-label-changed = { $n } with another label, answer or place
eval-no-other-change = No other measure changed clearly; -v shows all.
eval-intervals-clear = { $n } of { $of } intervals exclude 0; by chance alone one in twenty does.
eval-moved-worse = worse
eval-moved-better = better
eval-moved-changed = changed
eval-changed-error = error
eval-changed-verdict = verdict
eval-no-question-changed = No question changed its verdict, its recall@10 or its answer's score.
eval-changes-more = { $n ->
    [one] { $n } more change
   *[other] { $n } more changes
}; -v shows all.
eval-dataset-resume = Run the same command again to resume: read and embedded documents are kept.
eval-queries = { $n ->
    [one] { $n } query
   *[other] { $n } queries
}
eval-dataset-head = { $name }: { $n ->
    [one] { $n } document
   *[other] { $n } documents
}{ $reused ->
    [0] {""}
   *[other] {" "}({ $reused } from an earlier run)
}, { $queries }
eval-no-changes = no changes
eval-config-against = { $name } against { $other } (* differs clearly):
eval-brackets = In brackets: the 95 % interval over the queries.
eval-gate-closes = The gate closes below { NUMBER($threshold, maximumFractionDigits: 6) }.
eval-questions-none = There are no questions yet. Use `foundry eval add`, `import` or `draft`.
eval-questions-none-match = No questions match.
eval-question-unreviewed = unreviewed
eval-set-counts = { $set }: { $n ->
    [one] { $n } question
   *[other] { $n } questions
}: { $parts }
eval-count-answerable = { $n } answerable
eval-count-unanswerable = { $n } unanswerable
eval-count-unlabelled = { $n } unlabelled
eval-count-unreviewed = { $n } unreviewed
eval-field-question = Question:
eval-field-language = Language:
eval-field-answerable = Answerable:
eval-field-answer = Answer:
eval-field-tags = Tags:
eval-field-note = Note:
eval-field-expected = Expected:
eval-place-missing = (not in the project)
eval-question-head = ({ $origin }{ $reviewed ->
    [true] {""}
   *[false] , not reviewed
})
eval-already-accepted = { $n ->
    [one] { $n } question
   *[other] { $n } questions
} had already been accepted.
eval-accepted = { $n ->
    [one] { $n } question
   *[other] { $n } questions
} accepted.
eval-rejected = { $n ->
    [one] { $n } question
   *[other] { $n } questions
} rejected.
eval-remove-which = Which questions?
    .fix = Name ids, or use --set NAME.
eval-removed = { $n ->
    [one] { $n } question
   *[other] { $n } questions
} removed.
eval-would-remove = This would remove { $n ->
    [one] { $n } question
   *[other] { $n } questions
} of { $set }.
    .fix = Export a copy with `foundry eval export --set { $set } --output FILE`, then use --yes.
eval-remove-set = Remove { $n ->
    [one] { $n } question
   *[other] { $n } questions
} of { $set }?
eval-nothing-removed = Nothing was removed.
    .fix = Export a copy with `foundry eval export --set { $set } --output FILE`, then use --yes.
eval-nothing-to-export = There are no questions to export.
    .fix = Use `foundry eval add`, `import` or `draft` first.
eval-exported = { $n ->
    [one] { $n } question
   *[other] { $n } questions
} written to { $path }.
eval-page = p. { $page }
eval-relevance = relevance { $relevance }
eval-yes = yes
eval-no = no
eval-show-or-reset = Choose one of --show and --reset.
eval-fit-stored = Stored and in use; `foundry eval calibrate --reset` removes it.
eval-fit-dry-run = Nothing was stored: this was a dry run.
eval-fit-not-stored = Nothing was stored; use --yes to store it anyway.
eval-fit-written = Wrote { $path }.
eval-fit-extension = The plot is an .svg file, not { $name }.
    .fix = Name a file that ends in .svg.
eval-fits-removed = Removed { $n ->
    [one] { $n } fit
   *[other] { $n } fits
}; the shipped constants are used.
eval-fits-none = No fit is stored; the shipped constants are used.
eval-fit-used = { $model }: fitted { $made } UTC, used
eval-fit-unused = { $model }: fitted { $made } UTC, not used
eval-fit-before-constants = { $model }; before: { $which } constants
eval-fit-refused-by-rule = Answerable, but refused by a rule whatever the constants:
eval-fit-better = Better. { $reason }
eval-fit-not-better = Not better. { $reason }
eval-fit-facts-gate = Gate: { $questions } questions ({ $answerable } answerable), held out in { $folds } folds; at most { NUMBER($max_false_refusal, style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1) } refused wrongly at min_score { NUMBER($min_score, minimumFractionDigits: 2, maximumFractionDigits: 2) }; { $fitted ->
    [line] threshold and slope fitted
    [threshold] threshold fitted
   *[milder] threshold lowered only
}
eval-run-kept = { $kept } of { $of } questions are asked and kept; running it again goes on from there.
eval-no-curve = The run has no questions of both kinds, with and without an answer in the sources.
    .fix = Label questions as answerable or not, and run them.
eval-curve-shipped = The gate's weights come with Foundry and were not fitted to these questions. If you choose a threshold by this curve, measure it on other questions.
eval-curve-fitted = The gate was fitted to questions of this project: this curve may show the questions that it was fitted to, and flatters it. Judge it by the held-out figures of the fit.
eval-curve-below = Below { NUMBER($threshold, minimumFractionDigits: 2) } nobody knows whether the answers that the run refused would have been right: only questions without an answer in the sources count as wrong there.
