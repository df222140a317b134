table-name-invalid = A table needs a name of at most { $limit } characters, on one line and without a slash.
    .fix = Give one with --name.
    .request = Give one as name.
table-no-questions = There is no table '{ $name }' yet, and no question to begin it with.
    .fix = Give a file of questions, or see `foundry table list`.
    .request = Give questions.
table-many-questions = The table has { $n } questions; at most { $most } fit.
    .fix = Ask the others in a second table.
table-question-twice = { $questions } was there twice, and is asked once.
table-no-sources = No source matches.
    .fix = Check the filters, or run `foundry ingest`.
table-large = This table asks { $cells } cells: { $sources } sources × { $questions } questions. { $most }
    .fix = Choose fewer sources with --filter, or say --many if that is meant.
    .request = Choose fewer sources with filters, or set confirmed if that is meant.
table-most = A model may take up to { $tokens } tokens for them, { $cost }.
table-most-cost = at most { $cost } US dollars
table-most-unknown = at a price that is not known
table-running = The table '{ $name }' is running already.
    .fix = Wait until that run has ended.
table-interrupted = Stopped: { $kept } of { $of } cells of '{ $name }' are kept.
    .fix = The same command goes on from there.
    .request = The same request goes on from there.
table-kept = { $kept } of { $of } cells are kept; the same command goes on from there.
table-conflicts = The source contradicts itself on it ({ $n ->
        [one] { $n } conflict
       *[other] { $n } conflicts
    }).
table-passage-lacks = The passage lacks: { $words }.
table-unlikely = The nearest passage ({ $place }) is unlikely to answer it: it scores { NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) }.
table-unknown = There is no table '{ $name }'.
    .fix = `foundry table list` shows them.
table-cell-unknown = The table has no cell for the source '{ $row }' and the question '{ $column }'.
    .fix = Give the path or id of a source, and the question or its number, as `foundry table show` has them.
    .request = Give the path or id of a source as row, and the question or its number as column.
table-cell-changed = The answer of this cell has changed meanwhile.
    .fix = Read it again before you decide.
table-cell-reviewed = { $by } has decided on this cell ({ $time }).
    .fix = Say --again to decide again; both decisions are kept.
    .request = Set again to true to decide again; both decisions are kept.
table-value-invalid = The corrected value is empty or longer than { $limit } characters.
    .fix = Give the value alone.
table-one-verdict = A review says one thing.
    .fix = Give one of --approve, --correct and --reject.
table-format-unknown = '{ $name }' is not a name of a file that a table can be written to.
    .fix = End it in .csv, .xlsx, .docx or .html.
    .request = Give csv, xlsx, docx or html.
table-written = Written: { $path }
table-removed = Removed the table '{ $name }'.
table-none-yet = No tables. Put questions in a file, one on each line, and run `foundry table run QUESTIONS.txt`.
table-unfinished = not finished
table-decided = { $verdict ->
    [approved] Approved
    [corrected] Corrected
   *[rejected] Rejected
} by { $by }: { $source }, { $question } { $value }
table-done = { $name }: { $asked } asked, { $reused } unchanged and not asked again, { $changed } say otherwise than before, in { NUMBER($seconds, minimumFractionDigits: 1, maximumFractionDigits: 1) } s.{ $failed ->
    [0] { "" }
    [one] { " " }{ $failed } failed, and is asked again by the next run.
   *[other] { " " }{ $failed } failed, and are asked again by the next run.
}{ $gone ->
    [0] { "" }
    [one] { " " }The source of { $gone } was removed or replaced meanwhile.
   *[other] { " " }The sources of { $gone } were removed or replaced meanwhile.
}

# A cell.
table-see-passage = see passage
table-not-asked = not asked yet
table-state = { $state ->
    [answered] ✓ answered
    [low_confidence] low confidence
    [quoted] exact words
    [passage] see passage
    [failed] failed
   *[nothing] nothing found
}
table-verdict = { $verdict ->
    [approved] ✓ approved
    [corrected] ✓ corrected
   *[rejected] ✗ rejected
} by { $by }
table-changed-since = Changed since { $by } decided ({ $time }): “{ $old }” then, “{ $new }” now.
table-changed = Changed since the run before: “{ $old }” then, “{ $new }” now.
table-source-fate = { $fate ->
    [gone] The source is gone.
   *[changed] The source has changed since; run the table again.
}

# Files.
table-column-source = Source
table-column-title = Title
table-column-question = Question
table-column-value = Value
table-column-state = state
table-column-place = place
table-column-quote = quotation
table-column-notes = notes
table-column-hash = SHA-256 of the file
table-column-answer = answer in the log
table-sheet-values = Table
table-sheet-cells = Citations
table-made = Made
table-confidentiality = Confidentiality
table-filters = Only
table-count-sources = Sources
table-count-questions = Questions
table-count-run = Run
