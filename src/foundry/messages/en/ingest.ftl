ingest-work-kept = saved work is kept
ingest-others-pending = { $n ->
        [one] { $n } chunk of other sources still waits for its vector
       *[other] { $n } chunks of other sources still wait for vectors
    }: run `foundry ingest`.
ingest-interrupted = Interrupted. Files: { $files }. Chunks: { $embedded } embedded, { $pending } still without a vector.
    .fix = Run the same command again: it resumes.
ingest-list = { $listed }, { $part }
ingest-none-read = none read
ingest-count-added = { $n } added
ingest-count-updated = { $n } updated
ingest-count-removed = { $n } removed
ingest-count-unchanged = { $n } unchanged
ingest-count-failed = { $n } failed
ingest-count-waiting = { $n } not read yet
ingest-files-gone = The { $n ->
        [one] file of { $n } source is
       *[other] files of { $n } sources are
    } gone; --prune removes them.
ingest-no-text = It contains no text.
    .fix = Check the file.
ingest-waiting = { $holder } Waiting until it is done; Ctrl-C stops.
ingest-left-out = Left out, because Foundry cannot read their type: { $names }{ $more ->
        [0] {""}
       *[other] {" "}and { $more } more
    }. `foundry sources` lists them.
ingest-bad-name = Its name is not valid UTF-8. Rename the file.
ingest-same-name = Its name is that of { $path } but for how its letters are encoded. Rename or remove one of them.
ingest-failed = { $problem } { $problem-fix } { $advice }
ingest-failed-again = { $reason } The revision ingested before stays in the project.
ingest-no-result = The parser gave no result.
ingest-attachments-left-out = Attachments that were not read: { $names }{ $more ->
        [0] {""}
       *[other] {" "}and { $more } more
    }. `foundry sources` lists them with the reason.
ingest-attachments-limit = The file has too many attachments; { $limit } of them were read.
ingest-attachment-deep = It is an attachment of an attachment, more than { $limit } levels deep.
ingest-detached = it is no longer attached
ingest-moved = moved from { $path }
ingest-same-bytes = the same file as { $path }
ingest-copy-stays = this path is gone; the same file is still at { $path }
ingest-strictest = { $path } and { $other } are the same file, so both get the stricter confidentiality, { $level }.
ingest-gone = the file is gone
ingest-gone-kept = the file is gone; its text stays until `foundry ingest --prune`
ingest-status-added = added
ingest-status-updated = updated
ingest-status-removed = removed
ingest-status-unchanged = unchanged
ingest-status-failed = failed
ingest-watch-json = --watch and --json cannot be combined: a watch never ends.
    .fix = Leave out one of them.
ingest-enqueue-ray = --enqueue leaves the reading to workers, so --ray has no effect here.
    .fix = Give it to them: `foundry work --ray ADDRESS`.
ingest-watching = Watching { $places }. Press Ctrl-C to stop.
ingest-empty-tag = A tag is empty.
    .fix = Leave it out, or name a tag.
ingest-no-such-path = No such file or folder.
    .fix = Check the path; files must be inside the project.
ingest-estimate = Prefixes and summaries would take { $n ->
        [one] { $n } call
       *[other] { $n } calls
    } of { $models }: about { $tokens }, { $cost }.
ingest-limits = The limits are { $tokens } tokens and { $cost }.
ingest-call-models = Call the models?
ingest-known-failures = { $n ->
        [one] { $n } file
       *[other] { $n } files
    } failed as before; `foundry sources` lists why.
ingest-add-files = Add files and run `foundry ingest` again.
ingest-written = { $prefixes } and { $summaries } written: { $calls }, { $tokens }, { $cost }.
ingest-no-files = No files found.
ingest-total = { $files }: { $listed }. { $chunks } embedded, { $pending } pending, in { $time }.
ingest-impact = Accepted drafts quote words that { $path } no longer has: { $n }. `foundry draft impact { $path }` shows them.
