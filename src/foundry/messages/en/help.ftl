# Help of the commands. A part named after an option is its help; help-option has those that many commands share.

help-option = -
    .by = Your name.  [default: git's user.name, or the system's]
    .filter = Only sources with type=pdf, tag=…, source=PATH, folder=…, confidentiality=…, revision=…, from=2026-01-31, to=…; repeatable.
    .revision = Revisions to search: all, or a mark or date. Default: the current revisions.
    .help = Show this message and exit.
    .version = Show the version and exit.
    .json = Print one JSON document.
    .language = Language of messages.  [default: the project's, else en]
    .mode = Search mode.  [default: retrieval.mode]
    .project = Project folder.  [default: the current folder]
    .quiet = Show only results and errors.
    .role = See only what this role may see; at most access.role, which is the default.
    .server = Ask this server instead; its token is in FOUNDRY_TOKEN.
    .set = Only this set; repeatable.
    .since = First day.
    .verbose = Show more; -vv adds tracebacks.
    .yes = Overwrite an existing file without asking.

help-foundry = Answers and documents from your own sources, with a citation behind every statement.
    .epilog =
        To start: run `foundry init`, put files into sources/, run `foundry ingest`, then
        `foundry ask "…"`. Every command has --help and --json.

        Shell completion for bash (zsh and fish work alike):

            eval "$(_FOUNDRY_COMPLETE=bash_source foundry)"
help-init =
    Create a project here or in DIR.

    Writes a commented foundry.yaml and the folders sources/, features/ and output/, and
    overwrites nothing. Without --offline or --online, the models are chosen by what is
    available: an API key in the environment, a model server on this machine (Ollama, LM Studio,
    llama.cpp or vLLM on its usual port), or else the built-in models.
    .offline = Use only models on this machine.
    .online = Use a provider's models; needs an API key.
help-doctor =
    Check the setup and suggest fixes.

    Checks the configuration, the database, the models and their keys, OCR and the disk,
    and changes nothing. Exits with 1 if a check fails.
help-models =
    Show which model each step uses: where it runs, whether it answers, its window and its price.

    Models on this machine are looked for at their servers; one on another machine is called only
    with --check. The check takes about a minute: the writer answers questions in English and Dutch
    from passages that are given, and must refuse those they do not answer; the judge reads
    statements of which some have a planted error. Exits with 1 if a model is not fit.
    .check = Call the models, and say whether they are fit to write and to judge.
help-version = Show version numbers.
help-ingest =
    Read new and changed files.

    PATH is a file or folder inside the project; the default is sources/. Text can be
    searched as soon as it is read; vectors follow. A file that fails is reported with
    its reason, and the other files are still read; `foundry sources` lists it until it
    can be read. The exit status is 1 if every file that was named failed. An
    interrupted ingest resumes.

    Above models.confirm_tokens or models.confirm_cost, you are asked before language
    models are called. Without a terminal to ask on, built-in prefixes and summaries
    are used instead.
    .prune = Remove sources whose file no longer exists.
    .watch = Keep running and ingest every change, until Ctrl-C.
    .tag = Tag these sources; repeatable.
    .confidentiality = Confidentiality of these sources; new sources are public by default.
    .strict = Exit with 1 if a file, prefix or summary failed.
    .yes = Call models without asking for confirmation.
    .no-wait = Fail if another ingest of the project is running; with --enqueue do not wait for the workers either.
    .enqueue = Leave the reading to workers (`foundry work`), and wait until they are done.
    .ray = Read and embed on a Ray cluster: HOST:PORT, or local to start one on this machine.
help-work = Read files that `foundry ingest --enqueue` left to workers.
help-work-run =
    Read waiting files until Ctrl-C.

    Start as many as you like, on any machine that has the project's folder and reaches its
    database. A file whose worker ends or hangs is taken up by another; after three attempts,
    or an hour, it counts as failed. With --ray, files of several jobs are read at once on the
    nodes of a cluster; this process then keeps the jobs and saves what was read.
    .drain = Stop when no file waits any more.
    .yes = Call models without asking for confirmation.
    .ray = Read and embed on a Ray cluster: HOST:PORT, or local to start one on this machine.
    .projects = Do the jobs of all projects in this folder, which take turns; one that fails is skipped.
help-work-list = List all jobs, waiting, running and finished, and the workers that run.
help-work-cancel =
    Cancel waiting and running jobs.

    PATH is a file as `foundry work list` shows it; without one, all are cancelled. Files that
    were saved stay.
help-sources = List, show or remove sources.
help-sources-list =
    List sources with their type, pages, chunks and tags.

    Below them are the files that failed or were left out, with the reason. States: read, warned
    (read with warnings), waiting, failed, left_out, new (in the folder and not read yet), changed and
    gone (compared with the files).
    .search = Only sources with all these words in path, title, revision or tags.
    .type = Only sources of this type: pdf, docx …
    .tag = Only sources with this tag.
    .folder = Only sources in this folder and below it.
    .confidentiality = Only sources with this confidentiality.
    .status = Only sources with this status.
    .state = Only files in this state.
    .short = List sources.
help-sources-diff =
    Show what a revision says otherwise than another, sentence by sentence and cell by cell.

    OLD and NEW are paths or ids. Without OLD, NEW is compared with its previous revision. The
    comparison does not judge the meaning of a change.
help-sources-link =
    Record that one source revises another.

    NEW and OLD are paths or ids. The link overrides what Foundry recognised. Foundry searches
    the current revision, and the others with `--revision all`.
    .reason = Reason, shown in the list.
    .by = Who says so. Default: the name that git knows.
    .short = Record that one source revises another.
help-sources-unlink =
    Record that two sources are not revisions of one document.

    NEW and OLD are paths or ids. Foundry splits the chain between them and searches both parts.
    .reason = Reason.
    .by = Who says so. Default: the name that git knows.
    .short = Record that two sources are not revisions of one document.
help-sources-remove = Remove sources from the project. SOURCE is a path or an id.
    .files = Delete their files too.
    .short = Remove sources from the project.
help-sources-set =
    Set the status, tags or confidentiality of sources.

    SOURCE is a path or an id; `--filter` names all that match instead. The status that you set
    overrides the one in the document; as_read restores it. With several sources, those that cannot
    be changed are listed with the reason, and the others change.
    .filter = All sources with type=pdf, tag=…, folder=…; repeatable.
    .status = draft, proposal, final, superseded, archived, withdrawn, or as_read.
    .tag = Tag the sources; repeatable, replaces their tags.
    .add-tag = Add a tag; repeatable.
    .remove-tag = Remove a tag; repeatable.
    .confidentiality = Confidentiality of the sources.
    .short = Set the status, tags or confidentiality of sources.
help-sources-show = Show a source: its summary, warnings and sections. SOURCE is a path or an id.
    .tables = Show its tables, every value with the labels of its row and column.
    .csv = Write its tables as CSV, a line for each value.
    .short = Show a source: its summary, warnings and sections.
help-correction = Correct what was read wrongly in a source.
help-correction-add =
    Correct words, a heading or a table in a source.

    SOURCE is a path or an id. WORDS are those of the source as it was read, as `foundry
    correction blocks` shows them; --block chooses one block where they are in several, or a
    block as a whole. `foundry correction blocks SOURCE --block N` shows a table as a grid with
    numbered rows and lettered columns, for --row and --cell; corrections do not change these
    names. Give one option:

        foundry correction add SOURCE "l6 mm" --read "16 mm" --reason "the print says 16"
        foundry correction add SOURCE "3.2 Intervals" --heading 2 --reason "printed as a heading"
        foundry correction add SOURCE --block 14 --header-rows 2 --reason "units are in row 2"
        foundry correction add SOURCE --block 14 --header-columns 2 --reason "type and size"
        foundry correction add SOURCE --block 14 --span B1:D1,E1:F1 --reason "merged in print"
        foundry correction add SOURCE --block 14 --cell B3 --read 16 --reason "the print says 16"
        foundry correction add SOURCE --block 14 --row 7 --drop --reason "a watermark"
        foundry correction add SOURCE --block 14 --row 7 --split --reason "another table"
        foundry correction add SOURCE --block 14 --merge --reason "continues on the next page"

    To rewrite a whole row, give its cells separated by "|", with one --read per printed row:

        foundry correction add SOURCE --block 14 --row 1 --read "Part | Mass" --read "Pump | 12"

    The file stays as it is. The source is indexed again at once, and every answer and document
    that quotes the place says what was corrected. The correction stays when the same file is
    read again. `foundry sources show SOURCE --tables` shows what the tables say then.
    .short = Correct words, a heading or a table.
    .block = Number of the block.
    .cell = A cell of the block's table, such as B3.
    .row = A row of the block's table, such as 3, or several, such as 3-5.
    .read = The printed text of the words, the cell or the rows.
    .drop = Drop the rows.
    .heading = Level of the heading, 1 to 6, or "text" for what is not one.
    .header-rows = Number of header rows at the top of the table, 0 for none; or the rows, such as 3-4.
    .header-columns = Number of header columns; 0 for none.
    .span = Merged cells, such as B1:D1,E1:F1.
    .split = Start a new table at the row.
    .merge = Join the next table to this one.
    .reason = Why: how you know it was read wrongly.
    .dry-run = Show what would change, and the answers and drafts that cite it; change nothing.
help-correction-blocks =
    List the blocks of a source as it was read, with their numbers.

    WORDS limits the list to blocks with these words. With --block, a table is shown as a grid
    with row numbers and column letters.
    .page = Only blocks of this page.
    .block = Only the block with this number.
help-correction-list =
    List corrections, of one source or all.

    One that does not apply any more, because the file has changed, is kept and says why.
help-correction-remove = Undo a correction. ID is its id, or the beginning of it.
    .short = Undo a correction.
help-correction-show = Show a correction. ID is its id, or the beginning of it.
    .short = Show a correction.
help-search =
    Find passages without writing an answer.

    Shows each hit with its relevance (0 to 1) and its rank in dense and BM25 search, and
    whether the gate would allow an answer. Give - as QUERY to read standard input.
    .exact = Compare every vector, also in a large index.
    .top-k = Number of hits.  [default: retrieval.top_k]
    .explain = Also what would be read of the hits, and what HyDE searched with; it may call models.
help-ask =
    Answer a question from the sources.

    Every sentence cites the passage that supports it. If the sources do not contain the
    answer, no model is called, the output says what is missing, and the exit status is 3.
    Give - as QUESTION to read standard input.
    .all = Read every passage that may hold an item, for "how many", "which" or "list all".
    .exact = Compare every vector, also in a large index.
    .agent = The agent that answers; `foundry agent list` shows them.
    .stream = Show each sentence as soon as it is verified.
help-chat =
    Ask a series of questions.

    A follow-up ("and its weight?") is completed from the question before it, by the model or
    by carrying over words. The gate judges every question, and earlier answers are never
    evidence. Reads one question per line; with --json each turn is one line of JSON.
help-table =
    Ask every source the same questions, and review the answers.

    Rows are sources, columns are questions. A cell has an answer with its quotation and
    location, or says that nothing was found. `foundry table questions.csv` runs a table.
help-table-run =
    Ask every source every question, and store the answers.

    QUESTIONS is a file (.txt with a question on each line, .csv or .xlsx with a column of them) or the
    name of a stored table:

        foundry table questions.csv --filter tag=supplier --output suppliers.xlsx

    A cell is what `foundry ask` finds in that source alone: a model's verified answer, or without a
    model the source's own row or sentence, a passage to read, or nothing. Unchanged cells are not
    asked again. Run the same command to continue an interrupted run. Reviews are kept.
    .short = Ask every source every question.
    .name = Name of the table.  [default: name of the file]
    .by = What a row is: a source, or a section of one.
    .jobs = Number of cells to ask in parallel.
    .fresh = Ask all cells again.
    .many = Allow more than 1,000 cells.
    .output = Write the table to this .csv, .xlsx, .docx or .html file.
help-table-list = List the stored tables, latest first.
help-table-show =
    Show a stored table, or write it to a file.

    Each cell shows what changed since the previous run or its review.
    .short = Show a stored table.
    .output = Write it to this .csv, .xlsx, .docx or .html file.
help-table-review =
    Approve, correct or reject a cell.

    SOURCE is the path or id of a row. QUESTION is the question of a column, or its number.

        foundry table review suppliers sources/a.pdf 3 --correct "24 V DC"

    Later runs keep the decision and show what changed since.
    .short = Approve, correct or reject a cell.
    .approve = The cell is right. For an empty cell: the source has no answer.
    .correct = The right value.
    .reject = The cell is wrong, and no value replaces it.
    .again = Replace an earlier decision.
help-table-remove = Remove a table with its answers and reviews.
help-feature = Write and approve document specifications.
help-feature-approve =
    Approve a specification for writing.

    Documents are written only from approved specifications. The approver, the time and a
    hash of the content are written into the file itself; any later edit makes the approval
    invalid.
help-feature-check =
    List problems in one or all specifications.

    Each problem is shown with its line number and a fix. Exits with 1 if anything blocks approval; hints do not.
help-feature-diff =
    Show how a specification differs from its approved text.
help-feature-list = List all specifications with their status and approval.
help-feature-new =
    Create features/NAME.md, a commented template to fill in.

    NAME consists of letters, digits, - and _. An existing file is not overwritten.
    .title = Title of the document.  [default: NAME]
    .owner = Person responsible for the document.
help-feature-revoke = Withdraw the approval of a specification.
help-feature-show = Show a specification with its status and problems.
help-verify =
    Check a text against the sources, statement by statement.

    FILE can be in any format that ingest reads and need not be part of the project; -
    reads Markdown or plain text from standard input. Rules say ✓ exact, ✗ contradicted or ≠
    misattributed (exact, in another source or page than the one it cites). All else is left
    to you (? read these, with the nearest passages) or to the judge, a model that says
    supported, partly or unsupported; what it left unjudged, for a limit of spending for
    example, is said. Lines that Foundry adds to a document, such as those about
    contradictions, are skipped. Exits with 1 if coverage is below
    validation.min_attribution. -v lists supported statements too.

    --format sarif is for code hosts and editors; docx writes a copy of a Word file with a
    comment at each sentence that is not ✓, and changes nothing else.
    .judge = Model that judges what the rules leave open; same is the model that writes, none is nobody.  [default: validation.verifier]
    .format = Format of the report; --json is short for json.  [default: text]
    .output = File to write the report to, in the current folder or an allowed one; docx needs one.
help-generate =
    Write a cited document from an approved specification, or as an agent says.

    Every statement has a footnote to the passage that supports it; a section without
    evidence is marked as such. Sections for which nothing changed since the last run are
    reused. Conflicts between sources are shown before writing starts; what a reviewer
    should check is listed at the end. If the sources contain nothing for any section, no
    file is written and the exit status is 3.
    .topic = Topic of the document; - reads standard input.
    .output = Markdown file to write, in the current folder or an allowed one.
    .feature = Approved specification to use; optional if there is only one.
    .agent = The agent that writes, such as blueprint; then no specification is needed.
    .dry-run = Show hits, scores, conflicts, budget and prompts; write nothing.
    .fresh = Rewrite all sections, including unchanged ones.
help-agent =
    List, show, copy and check agents.

    An agent says how a text is written: its sections and what to find for each, persona, model
    profile, temperature and length. Foundry brings some; the project's own are agents/NAME.yaml.
help-agent-list = List all agents with their output, model and title.
help-agent-show = Show an agent with its persona and sections.
help-agent-new =
    Copy an agent to agents/NAME.yaml, to change it.

    NAME consists of lower-case letters, digits, - and _. An existing file is not overwritten.
    .from = The agent to copy.
help-agent-check =
    Check the files of one or all agents.

    Each problem is shown with its line. Exits with 1 if a file is wrong, or if a profile has no
    model.
help-draft = List, show, verify and accept generated drafts.
help-draft-accept =
    Accept a draft as its file is now.

    DRAFT is a path or the name of a feature. An edited draft is verified first: what its sources do not support is refused, and statements that Foundry cannot
    check are listed for you to accept; the built document marks them as not verified. A
    draft that is out of date is refused. The last acceptance counts.
    .note = A remark to keep with the acceptance.
    .yes = Accept statements that cannot be checked without asking.
help-draft-diff =
    Compare a draft with its previous run, sentence by sentence.

    DRAFT is a path or the name of a feature. OTHER is another draft, or the hash of an earlier text
    of DRAFT.
help-draft-impact =
    Show which quotations in drafts and stored answers are no longer in a source.

    SOURCE is a path or an id. Quotations of older revisions of it count too. Exits with 1 if words
    changed or are gone.
    .all = Also quotations whose words are unchanged.
help-draft-list = List drafts with state, coverage and acceptance, newest first.
    .feature = Only drafts of this feature.
help-draft-notes = Show the remarks of reviewers on a draft.
help-draft-show =
    Show a draft with its state, sections and sources.

    DRAFT is a path, or the name of a feature for its latest draft.
help-draft-verify =
    Check the footnotes and statements of an edited draft.

    DRAFT is a path or the name of a feature. Exits with 1 if anything fails: a mark without
    a footnote, a quote that is not in its source, or a statement that its citation does not
    support. -v lists supported statements too.
help-build =
    Build the client document from all accepted drafts.

    The document contains the latest accepted draft of each approved feature, then what agents
    wrote without one, by path, with a cover, contents, one list of notes, a source register,
    coverage and conflicts. If anything prevents a build, every reason is listed: a feature
    without an accepted draft; a draft, specification or source that changed since; broken
    footnotes; too little coverage.
    .output = File to write; several formats share its name.  [default: the project's name, in output.dir]
    .format = Any of md,docx,pdf,html.  [default: the suffix of --output, or all]
    .title = Title on the cover.  [default: the project's name]
    .language = Language of cover and appendices.  [default: that of the drafts]
    .allow-stale = Build and mark a document that is out of date.
    .yes = Overwrite existing files without asking.
help-privacy =
    List the hosts that the configuration can reach, and what would be sent there.

    Nothing is contacted. What a step sends is read from its prompts; a key of the other mode
    is listed as not used.
help-schema =
    Show the JSON Schema of a --json document.

    Without NAME, lists the documents and the commands that print them. Later versions of
    Foundry may add keys; the version in the schema's $id rises when a key is renamed, removed
    or changes its meaning.
help-index = Show, rebuild or verify the search indexes.
help-index-rebuild = Rebuild the text index from the chunks; with --embeddings the vectors too.
    .embeddings = Embed every chunk again. Searches use the earlier vectors until the end, so the
        disk needs room for both. Run it again after an interruption and it goes on.
    .engine = Send every vector to the search engine of storage.engine_url again; the text index stays.
help-index-status = Show how much of the project each index covers.
help-index-verify = Check that tables and indexes agree; exit with 1 if they do not. If a search does not compare every vector, measure what it finds of an exact search's hits, for `foundry index status`.
help-copy =
    Copy the project to another database.

    FROM and TO are addresses as in storage.url: sqlite:///PATH or postgresql://USER@HOST/DATABASE.
    Sources, vectors, logs, drafts, evaluation and cached replies are copied; FROM does not change.
    A copy that was interrupted resumes. A database with other content of the project is refused.
    The copy is verified at the end; then set storage.url to TO.
help-serve =
    Serve the web application and the HTTP API.

    On this machine (127.0.0.1) whoever is logged in here may use it. On any other address
    callers need a token, and without one in the project the server does not start. Nothing is
    opened in a browser; Ctrl-C stops, after running answers.

    With --projects, every project folder in DIR is served under /p/NAME, to people with a role in
    it (`foundry access`). DIR may contain server.yaml with the section web of foundry.yaml.
    .host = The address to serve on.  [default: web.host]
    .projects = Serve all project folders in DIR.
    .port = The port; 0 takes a free one.  [default: web.port]
help-mcp =
    Serve the project's tools to a language model (Model Context Protocol).

    The model's program starts this itself, and talks to it over standard input and output. It can
    search, ask, read passages, list sources, verify a text, and plan documents; with --role it
    sees only what that role may see. `foundry serve` offers the same tools at /mcp.
    .config = Show what a client needs to start this, as JSON, and end.
help-token = Let others use the server.
help-token-new =
    Create a token and show it, once.

    Whoever has it may use the server as its role. Only its hash is kept: a lost token
    cannot be shown again, only revoked.
    .role = What its holder may see.  [default: public; with --projects secret]
    .expires = How long it is valid: hours, days or weeks, such as 12h, 30d or 8w.
    .projects = For the projects in DIR, whose roles `foundry access` gives; --role is then the highest.
help-token-list =
    List tokens with their role, expiry and last use.
    .projects = The tokens for the projects in DIR.
help-token-revoke =
    Revoke a token and end its sessions.
    .projects = A token for the projects in DIR.
help-access = Say who sees what on a server of several projects.
help-access-give =
    Give a person a role in a project, or in all of them.

    The person is named as in their token, or by the identity provider. A new role replaces the
    earlier one.
    .projects = The folder that contains the projects.
    .project = Name of the project's folder in DIR.  [default: all projects]
    .role = What the person may see.
help-access-list =
    List who has which role.
    .projects = The folder that contains the projects.
    .project = Only who has a role in this project, or in all of them.
help-access-withdraw =
    Withdraw a person's role in a project.

    Without --project, the role in all projects is withdrawn; roles in single projects remain.
    .projects = The folder that contains the projects.
    .project = Name of the project's folder in DIR.
help-log = Show past questions and answers.
help-log-cost =
    Show what calls of models cost, by day, command and model.

    Every request counts, also of ingests and of answers that failed; a reply from the cache
    does not. Days are those of spending.time_zone. Only the highest role sees it.
    .until = Last day, inclusive.
help-log-audit =
    Show what was done through the server, and by whom.

    The stream is kept apart from the log of questions and has none of their words. Nothing
    changes or shortens it.
    .limit = Maximum number of rows.
    .before = Only rows before this number: the next page.
help-log-feedback =
    Record whether an answer was right.

    ID is the answer's id in `foundry log list`. The latest feedback on an answer counts.
    `foundry eval import --feedback` turns feedback into questions for evaluation.
    .correct = Whether the answer was right.
    .note = What was wrong, or the right answer.
help-log-list =
    List questions with their verdict, newest first.

    Questions of evaluation runs are listed only with --kind eval.
    .limit = Number of rows.
    .kind = Only this kind: ask, chat, generate, verify or eval.
    .verdict = Only this outcome.
help-log-show = Show a question with its hits, answer, models and cost.
help-log-stats =
    Show verdicts, coverage, latency, tokens and cost over time.

    Days are local days and weeks start on Monday; a period without questions is left out.
    Questions of evaluation runs have their own line and count in no other figure. A dash
    means that there is nothing to count.
    .by = Add a line per period.
    .until = Last day, inclusive.
help-eval = Measure search and answers on questions with known answers.
help-eval-run =
    Ask the stored questions and measure the answers.

    Every question is answered as `foundry ask` does (with --retrieval-only searched as `foundry
    search` does), and its outcome is saved at once: after Ctrl-C the same command resumes. -o
    sets any key for this run. A key that changes what is indexed builds a side index of the
    project's sources, once. Write a list as -o ingest.chunk_tokens=200,300.
    .set = Ask only this set; repeatable.
    .tag = Ask only questions with this tag; repeatable.
    .name = The run's name. Default: after its sets.
    .retrieval-only = Search only; write no answers.
    .override = Set a configuration key for this run; repeatable.
    .limit = Ask only this many questions, evenly spread.
    .jobs = Questions to ask at the same time.
    .fresh = Start over instead of resuming an interrupted run.
    .baseline = Exit with 1 if this run is clearly worse than RUN.
    .fail-below = Exit with 1 if a measure is lower or undefined; repeatable.
    .fail-above = The same for measures that are better when lower: latency_p95_ms, errors …
    .ray = Ask on a Ray cluster: HOST:PORT, or local to start one on this machine; --jobs sets the number of actors.
    .yes = Build a side index with models without asking.
help-eval-runs =
    List the runs, or show one with its figures.

    RUN is a number or a name; a name means its latest run.
    .questions = Show a line for each question of RUN.
    .remove = Remove RUN with its outcomes.
    .clear-indexes = Remove all side indexes.
help-eval-compare =
    Compare two runs, question by question.

    A and B are numbers or names of runs. Only questions that both asked in the same words and with
    the same expectations count. Each interval is of the difference B - A (paired bootstrap, 95 %); a
    change is clear where its interval excludes 0.
help-eval-gate =
    Show what the gate would refuse at other thresholds.

    RUN is a number or a name. Nothing is asked: the scores of the run's questions decide. The threshold
    of the run is marked.
help-eval-add =
    Add a question with its known answer.

    Name a source by its path, file name or title. --quote finds the words and stores their exact
    place. Questions that the sources cannot answer are just as useful: use --unanswerable.
    .id = Its id; made from its words by default.
    .set = Its set.
    .source = A source with the answer; repeatable.
    .page = The page in that source, from 1.
    .section = The section in that source.
    .span = A span of a source's text, in characters; repeatable.
    .quote = Exact words of that source, or of any; repeatable.
    .answer = An accepted answer; repeatable.
    .answerable = Whether the sources answer it; a place or an answer implies it.
    .tag = A tag; repeatable.
    .language = nl, en …; detected by default.
    .note = A note for reviewers.
help-eval-import =
    Import questions from files or from feedback.

    FILE is JSON Lines or a JSON list, CSV or a workbook (xlsx, ods) with a row of column names, or a
    BEIR folder (queries.jsonl and qrels). The fields are text or question, id, source, page, section,
    spans, quote, answer or expected answer, answerable, language and tags; separate several sources or
    answers in a cell with |. Refused lines are reported with their line numbers; the others are
    imported.
    .set = The set to import into; by default the one in the rows, else questions (feedback).
    .replace = Replace stored questions that differ.
    .format = The format of FILE; by default from its name.
    .feedback = Import readers' feedback on logged answers.
    .strict = Exit with 1 if any line was refused.
help-eval-draft =
    Draft questions from the sources, for review.

    The language model of the mode writes them, each with a quote from its source; without a model
    they ask about cells of tables by their labels. Unanswerable ones ask about an identifier that no source has. Nothing counts in a run until you accept it with `foundry eval accept`.
    .set = The set to add them to.
    .number = How many questions to draft.
    .source = Draft only from this source; repeatable.
    .unanswerable = How many more that no source answers; a quarter of --number by default.
help-eval-list =
    List the stored questions.

    Shows where each answer is expected, and counts each set at the end.
    .tag = Only with this tag; repeatable.
    .unreviewed = Only drafts that nobody has accepted yet.
    .answerable = Only those with this label.
help-eval-show =
    Show a question in full.

    Includes the current words of its spans. ID is set/id, or just the id if only one set has it.
help-eval-accept =
    Accept drafted questions, or reject them.

    Accepted questions count in runs, so read them first. ID is set/id, or just the id if only one
    set has it.
    .set = The set of questions.
    .all = All unreviewed questions.
    .reject = Remove them instead.
help-eval-remove =
    Remove questions, or a whole set.

    Earlier runs keep the questions as they were asked.
    .set = The set of questions.
    .yes = Remove a whole set without asking.
help-eval-export =
    Write questions to a file for git.

    `foundry eval import FILE` reads it back; in the same project that changes nothing.
    .output = The JSON Lines file to write, in the current folder or an allowed one.
help-eval-report =
    Write runs as one page with plots.

    RUN is a number or a name; a name means its latest run. The others are compared with the first.
    The page is one file that loads nothing, so it can be mailed, archived and printed. It shows
    what was run, every measure with its interval, plots, figures by language and tag, the worst
    questions with their hits, and every question.
    .output = The file to write. Default: a name after the runs, in output.dir.
    .worst = How many of the worst questions of each run to show with their hits.
    .language = Default: generation.language, else en.
help-eval-dataset =
    Measure search on a data set in BEIR form.

    DIR contains corpus.jsonl, queries.jsonl and qrels.tsv (or qrels/*.tsv). A folder files/ of
    texts may replace corpus.jsonl, and queries may name the spans of their doc that answer them.
    No project is needed: the documents are ingested into a cached project of the set, where each
    query is a stored question and each search mode a run. -v shows all measures.
    .keep-documents = Index each document as one chunk.
    .title = Whether to search titles.
    .arms = The search modes to measure.
    .limit = Measure only this many queries, evenly spread.
    .config = Measure under this configuration, any part of foundry.yaml.
    .compare = Also measure under this configuration and compare query by query; repeatable.
    .strict = Exit with 1 if any line or query was left out.
help-eval-calibrate =
    Fit the gate to this project's own questions.

    Uses the stored, reviewed questions that are labelled answerable or not. Moves the gate's scores
    so that at retrieval.min_score at most --max-false-refusal of the answerable questions are
    refused, and as many of the others as possible. All figures come from questions that the fit
    never saw. A better fit is stored and used until the embedding model changes. -v lists every question.
    .set = Only questions of this set.
    .max-false-refusal = The share of answerable questions that may be refused.
    .folds = Parts of the cross-validation.
    .dry-run = Show the result; store nothing.
    .yes = Store a fit that is no better; overwrite the output.
    .show = Show the stored fits.
    .reset = Remove the stored fits and use the shipped constants.
    .output = Write the reliability plot as .svg.

help-default = Without a command, it runs `{ $name }`.

help-heading = -
    .usage = Usage
    .options = Options
    .commands = Commands
    .start = Start
    .sources = Sources
    .questions = Questions
    .documents = Documents
    .team = Team
    .maintenance = Maintenance
help-governor = Enforce the branch rules of a git repository.
help-governor-check =
    Say whether a command may run; exit with 2 if not.

    main accepts only release/vX.Y.Z, develop only feat/* and release/*, feat/* should take
    wi/*. Nobody commits directly on main or develop. Without COMMAND, reads what an editor
    agent sends to its hook before a shell command. --project names the folder.
    .hook = Answer this hook of git, with what git sends it.
help-governor-install =
    Write the hooks of this repository, and show or write the settings of an editor agent.

    Git then refuses what check refuses, also a fast-forward, a rebase or a push.
    .chain = Keep hooks that are there; they run before the check.
    .agent = Also write the settings of this agent. May be repeated.
