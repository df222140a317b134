report-group-ranking = Search
report-group-refusal = Refusals of the whole system
report-group-gate = The gate alone
report-group-citation = Citations
report-group-answers = Answers
report-group-passages = Passages without an answer
report-group-times = Times
report-group-spent = Model usage

report-name-recall = Recall
report-name-precision = Precision
report-name-ndcg = nDCG
report-name-mrr = MRR
report-name-map = MAP
report-name-span_recall = Recall of characters
report-name-span_precision = Precision of characters
report-name-span_iou = Overlap of characters
report-name-refusal_precision = Refusal precision
report-name-refusal_recall = Refusal recall
report-name-false_refusal_rate = False refusals
report-name-gate_refusal_precision = Refusal precision, gate
report-name-gate_refusal_recall = Refusal recall, gate
report-name-gate_false_refusal_rate = False refusals, gate
report-name-auroc = AUROC
report-name-citation_precision = Citation precision
report-name-citation_recall = Citation recall
report-name-coverage = Attribution coverage
report-name-exact_match = Exact match
report-name-f1 = Token F1
report-name-answer_recall = Answer recall
report-name-sure_precision = Right where sure
report-name-low_confidence_precision = Right where confidence is low
report-name-shown_gold = Gold shown
report-name-shown_source = Source shown
report-name-latency_p50_ms = Time per question, median
report-name-latency_p95_ms = Time per question, 95th percentile
report-name-latency_max_ms = Time per question, longest
report-name-retrieval_p50_ms = Time to search, median
report-name-retrieval_p95_ms = Time to search, 95th percentile
report-name-tokens = Tokens
report-name-cost = Cost

report-means-recall = The share of the expected places found among the first k hits; the mean over questions. A hit that covers only places found before does not take a rank; where whole sources are expected, neither do further hits of a source. So a right hit at rank 12 can be among the first ten.
report-means-precision = The share of the first k hits that cover an expected place.
report-means-ndcg = Like recall, but a place counts for more the higher its hit ranks; 1 is the best order.
report-means-mrr = One divided by the rank of the first right hit; the mean over questions.
report-means-map = The precision at the rank of each right hit, averaged; the mean over questions.
report-means-span_recall = The share of the characters in the expected spans that lie inside the first k hits.
report-means-span_precision = The share of the characters in the first k hits that lie inside an expected span.
report-means-span_iou = The characters in both the expected spans and the first k hits, as a share of those in either.
report-means-refusal_precision = The share of the refused questions that have no answer in the sources.
report-means-refusal_recall = The share of the questions without an answer in the sources that were refused.
report-means-false_refusal_rate = The share of the questions with an answer that were refused; lower is better.
report-means-gate_refusal_precision = The same for what the gate alone refuses, before any model is asked.
report-means-gate_refusal_recall = The same for what the gate alone refuses.
report-means-gate_false_refusal_rate = The same for what the gate alone refuses; lower is better.
report-means-auroc = The chance that a question with an answer gets a higher gate score than one without; 0.5 is no better than chance.
report-means-citation_precision = The share of the quotes shown that lie in an expected place.
report-means-citation_recall = The share of the expected places that the answer quotes.
report-means-coverage = The share of an answer's sentences with a verified source, before any were removed.
report-means-exact_match = Whether the answer equals an expected one, apart from case, punctuation and articles.
report-means-f1 = How far the words of the answer and of the expected one agree (harmonic mean of precision and recall).
report-means-answer_recall = The share of the expected answer's words that the answer contains, whatever else it says.
report-means-sure_precision = Of the answers of a model without the mark of low confidence, the share that is right: it has every word of an expected answer, or half of the words agree; an answer to a question without one is wrong.
report-means-low_confidence_precision = The same for the answers with the mark.
report-means-shown_gold = Whether the passages shown hold all of an expected quote; without a quote, every word of an expected answer, or a line of the expected page or section. A question with an answer that was refused counts as 0.
report-means-shown_source = Whether a passage of an expected source is shown.
report-means-latency_p50_ms = Half of the questions took less.
report-means-latency_p95_ms = Nineteen in twenty took less.
report-means-latency_max_ms = The slowest question.
report-means-retrieval_p50_ms = The time of search alone; half of the searches took less.
report-means-retrieval_p95_ms = Nineteen in twenty searches took less.
report-means-tokens = Tokens sent to and received from models, in total.
report-means-cost = US dollars, if every price is known.
report-undefined = undefined

report-plot-no-data = Nothing to show.
report-plot-reliability = Reliability of the score
report-plot-reliability-desc = Reliability plot over { $bins }: the mean score against the share that is true; expected calibration error { $error }.
report-plot-score = score
report-plot-true = share that is true
report-plot-perfect = perfectly calibrated
report-plot-observed = observed (n)
report-plot-recall = Recall and nDCG by depth
report-plot-recall-desc = Lines over the depth k; recall at 10: { $runs }.
report-plot-gate = Gate scores
report-plot-gate-axis = gate score
report-plot-threshold = gate closes below { $value }
report-plot-share-of-kind = share
report-plot-strip-desc = { $name }: n = { $n }, median { $median }
report-plot-differences = Differences from the first run
report-plot-differences-desc = Dots with 95% intervals: { $parts }.
report-plot-differences-axis = difference (right of 0: higher than the first run)
report-kind-answerable = answerable
report-kind-unanswerable = unanswerable
report-kind-unlabelled = not labelled
report-time-whole = whole
report-time-retrieval = retrieval
report-n-bins = { $n ->
    [one] { $n } bin
   *[other] { $n } bins
}
report-title = Evaluation report: { $project }
report-contents = Contents
report-skip = Skip to the report
report-made-with = Made with { $program }
report-interval = { $low } to { $high }
report-not-applicable = n/a
report-none = none
report-no = no
report-run = Run
report-questions = Questions
report-question = Question
report-measure = Measure
report-fact = Fact
report-setting = Setting
report-notices = Notices of { $run }
report-warnings = Read this first
report-seconds = { $n } s
report-n-questions = { $n ->
    [one] { $n } question
   *[other] { $n } questions
}
report-n-errors = { $n ->
    [one] { $n } error
   *[other] { $n } errors
}
report-n-places = { $n ->
    [one] { $n } place
   *[other] { $n } places
}

report-summary-title = In short
report-summary-run = { $run }: { $questions }, { $errors }; { $bad } went wrong.
report-summary-compared = { $run } against { $first }, over { $common } in common: { $what }.
report-summary-better = clearly better: { $what }
report-summary-worse = clearly worse: { $what }
report-summary-no-difference = no measure of quality differs clearly (every 95% interval contains 0)
report-summary-nothing-common = { $run } and { $first } have no question in common that both completed, so they are not compared.
report-trust-title = What was shown, and whether it is right
report-trust-shown = What was shown
report-trust-right = Right
report-trust-wrong = Wrong
report-trust-unjudged = Not judged
report-trust-note = An answer is right if it has every word of an accepted answer, or half of the words agree; passages, if they hold the expected quote, or else the accepted answer; a refusal, if the sources have no answer. Without any of these it is not judged.
report-headline-title = Key figures with 95% intervals

report-warning-unfinished = { $run } is not finished: it is still running or was interrupted. Its figures cover the { $n } outcomes so far.
report-warning-empty = { $run } has no outcomes yet.
report-warning-unknown = { $run }: the index lacks { $n } that its questions expect; they were not judged.
report-warning-questions = The runs did not ask the same questions. Differences cover the questions in common; figures side by side do not.
report-warning-index = The runs did not search the same index: sources, chunks or embeddings changed between them.
report-runs-title = What was run

report-fact-number = Number
report-fact-kind = Kind
report-fact-sets = Question sets
report-fact-state = State
report-fact-started = Started
report-fact-duration = Duration
report-fact-questions = Questions
report-fact-judged = With an expected place in the index
report-fact-answered = Answered / passages shown / refused
report-fact-errors = Errors
report-fact-unknown_sources = Expected places missing from the index
report-fact-questions_hash = Hash of the questions
report-fact-index_hash = Hash of the index
report-fact-versions = Versions
report-fact-overrides = Settings changed for this run
report-run-ask = whole answers
report-run-retrieval = search and gate only
report-state-finished = finished
report-state-unfinished = not finished
report-differing-title = How the runs differ
report-differing-none = The recorded settings and versions are the same in all runs.
report-settings-title = All settings and versions

report-measures-title = All measures

report-measures-note = Below each figure: its 95% interval (bootstrap over questions) and the number of questions behind it. A figure with nothing to count is undefined.
report-measures-note-many = Below each figure: its 95% interval (bootstrap over questions), the number of questions behind it, and the difference from the first run over the questions in common, with its interval (paired bootstrap). ▲ clearly better, ▼ clearly worse: the interval does not contain 0; = no question differs. With this many measures about one in twenty looks clear by chance. A figure with nothing to count is undefined.
report-left-out-answers = Nothing was answered: these runs only searched and judged the gate. Measures of answers, citations and cost do not apply and are left out.
report-meanings-title = What the measures mean
report-plots-title = Plots

report-plot-answerable-share = share that is answerable

report-caption-recall = The figure at each depth k, as in the table.
report-caption-differences = Filled: the 95% interval does not contain 0. For false refusals lower is better.
report-caption-gate = The further apart the kinds lie, the better the gate separates them. Questions left of the line are refused.
report-caption-reliability = On the diagonal a score of 0.8 means that four in five such questions are answerable. Expected calibration error: { $error }.

report-moved-title = Questions that changed
report-moved-of = { $run } against { $first }
report-moved-what = What
report-moved-change = Change
report-moved-better = better
report-moved-worse = worse
report-moved-changed = different
report-moved-error = error
report-moved-counts = Of { $common } in common: { $worse } worse, { $better } better, { $changed } different.
report-moved-more = { $n } more are not shown.
report-moved-left-out = Not compared: { $only_first } only in { $first }, { $only_second } only in { $run }, { $text } asked in other words, { $label } with another label.

report-breakdown-title = By language, tag and set
report-breakdown-set = By set
report-breakdown-language = By language of the question
report-breakdown-tag = By tag
report-breakdown-gate = Where nothing was answered, refusals are the gate's.
report-breakdown-more = { $n } smaller groups are not shown.
report-by-set = Set
report-by-language = Language
report-by-tag = Tag

report-worst-title = The worst questions
report-worst-rule = Order: errors; refusals of a question that has an answer (lowest gate score first); answers to a question that has none (highest first); expected places that are not all among the first ten hits (lowest recall first); passages without the gold (lowest gate score first); answers with a token F1 below 0.5 that lack words of every expected answer (lowest recall of words first).
report-worst-said = { $shown } of the { $bad } outcomes that went wrong, out of { $all }.
report-worst-none = None of the { $all } outcomes went wrong.
report-fault = Wrong
report-fault-error = error
report-fault-wrong_refusal = wrong refusal
report-fault-wrong_answer = answered though unanswerable
report-fault-missing = expected place not in first ten hits
report-fault-not_shown = gold not in the passages shown
report-fault-low_f1 = low F1
report-short-error = error
report-short-wrong_refusal = refused
report-short-wrong_answer = answered
report-short-missing = place
report-short-not_shown = passages
report-short-low_f1 = F1
report-questions-note = Wrong: error; refused though answerable; answered though unanswerable; an expected place not among the first ten hits; passages shown without the gold; token F1 below 0.5 and words of every expected answer missing. A dash: undefined.
report-verdict = Verdict

report-verdict-answer = answer
report-verdict-low_confidence = low confidence
report-verdict-passages = passages
report-verdict-no_evidence = no evidence
report-gate = Gate
report-score = score
report-label = Label
report-language = Language
report-tags = Tags
report-expected-title = Expected places
report-expected-answers = Expected answer
report-expected-none = No place was expected.
report-characters = characters { $spans }
report-relevance = relevance { $n }
report-not-in-index = Not in the index
report-expected-rank = first hit at rank { $rank }
report-expected-nowhere = no hit

report-hits-title = First hits
report-hits-none = Nothing was found.
report-hits-first-right = The first right hit is at rank { $rank } of { $depth }.
report-hits-nowhere = None of the { $depth } ranked hits is right.
report-source = Source
report-page = Page
report-page-short = p.
report-section = Section
report-relevance-column = Relevance
report-right = Right
report-answer-title = Answer
report-answer-none = No answer was given.
report-citations-title = Quotes shown
report-citation-right = in an expected place
report-citation-wrong = not in an expected place
report-error-title = Error
report-notices-title = Notices
report-questions-title = All questions
report-questions-show = Show all { $n } outcomes
report-question-key = Key
report-settings-show = Show all settings and versions
report-empty = Nothing to show.
