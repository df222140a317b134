table-name-invalid = A table needs a name of at most { $limit } characters, on one line and without a slash.
    .fix = Give one with --name.
    .request = Give one as name.
table-no-questions = There is no table '{ $name }', and no questions to create it from.
    .fix = Give a file of questions, or run `foundry table list`.
    .request = Give questions.
table-many-questions = The table has { $n } questions; the maximum is { $most }.
    .fix = Ask the others in a second table.
table-question-twice = { $questions } was given twice and is asked once.
table-no-sources = No source matches.
    .fix = Check the filters, or run `foundry ingest`.
table-large = This table has { $cells } cells: { $rows } { $by ->
    [section] sections
   *[source] sources
} × { $questions } questions. { $most }
    .fix = Limit the sources with --filter, or allow this many with --many.
    .request = Limit the sources with filters, or set confirmed.
table-most = A model may use up to { $tokens } tokens, { $cost }.
table-most-cost = at most { $cost } US dollars
table-most-unknown = at an unknown price
table-running = The table '{ $name }' is already running.
    .fix = Wait until that run has ended.
table-interrupted = Stopped: { $kept } of { $of } cells of '{ $name }' are kept.
    .fix = Run the same command to continue.
    .request = Send the same request to continue.
table-kept = { $kept } of { $of } cells are finished; run the same command to continue.
table-conflicts = The source contradicts itself ({ $n ->
        [one] { $n } conflict
       *[other] { $n } conflicts
    }).
table-passage-lacks = The passage lacks: { $words }.
table-unlikely = The nearest passage ({ $place }) is unlikely to answer it: it scores { NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) }.
table-unknown = There is no table '{ $name }'.
    .fix = Run `foundry table list` to see the tables.
table-cell-unknown = The table has no cell for the source '{ $row }' and the question '{ $column }'.
    .fix = Give the path or id of a source, and the question or its number, as shown by `foundry table show`.
    .request = Give the path or id of a source as row, and the question or its number as column.
table-cell-changed = The answer in this cell has changed.
    .fix = Read it again before you decide.
table-cell-reviewed = { $by } has already decided on this cell ({ $time }).
    .fix = Use --again to replace the decision; Foundry keeps both.
    .request = Set again to true to replace the decision; Foundry keeps both.
table-value-invalid = The corrected value is empty or longer than { $limit } characters.
    .fix = Give only the value.
table-one-verdict = A review needs exactly one decision.
    .fix = Give one of --approve, --correct and --reject.
table-format-unknown = A table cannot be written to '{ $name }'.
    .fix = Use a file name that ends in .csv, .xlsx, .docx or .html.
    .request = Give csv, xlsx, docx or html.
table-written = Written: { $path }
table-removed = Removed the table '{ $name }'.
table-none-yet = No tables. Put questions in a file, one per line, and run `foundry table run QUESTIONS.txt`.
table-unfinished = not finished
table-decided = { $verdict ->
    [approved] Approved
    [corrected] Corrected
   *[rejected] Rejected
} by { $by }: { $source }, { $question } { $value }
table-done = { $name }: { $asked } asked, { $reused } reused, { $changed } changed since the last run, in { NUMBER($seconds, minimumFractionDigits: 1, maximumFractionDigits: 1) } s.{ $failed ->
    [0] { "" }
    [one] { " " }{ $failed } failed; the next run asks it again.
   *[other] { " " }{ $failed } failed; the next run asks them again.
}{ $gone ->
    [0] { "" }
    [one] { " " }The source of { $gone } cell was removed or replaced during the run.
   *[other] { " " }The sources of { $gone } cells were removed or replaced during the run.
}

# A cell.
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
table-changed-since = Changed since { $by } decided ({ $time }): was “{ $old }”, is “{ $new }”.
table-changed = Changed since the previous run: was “{ $old }”, is “{ $new }”.
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
table-outside-section = Only text outside this section was found.
table-other-rows = The table '{ $name }' has { $by ->
    [section] sections
   *[source] sources
} as rows.
    .fix = Leave out --by, or choose another --name.
    .request = Leave out by, or choose another name.
table-column-section = Section
table-count-sections = Sections
