build-none-accepted = No draft of it is accepted yet ({ $paths }).
build-no-draft = It has no draft.
build-feature-unreadable = { $path } cannot be read. { $problem }
build-file-missing = { $path } is missing or cannot be read.
build-edited = { $path } was edited after it was accepted.
build-no-text = { $path } has no text.
build-on-line = { $path }, line { $line }: { $problem }
build-coverage = The draft is only { NUMBER($share, style: "percent", maximumFractionDigits: 1) } supported, below { NUMBER($least, style: "percent") } (validation.min_attribution).
build-coverage-section = Section “{ $section }” is only { NUMBER($share, style: "percent", maximumFractionDigits: 1) } supported, below { NUMBER($least, style: "percent") } (validation.min_attribution).
build-none-approved = There is no approved feature and no accepted draft of an agent, so there is nothing to build.
    .fix = Approve one: `foundry feature list`, then `foundry feature approve NAME`; or accept a draft: `foundry draft list`, then `foundry draft accept PATH`.
build-not-ready = The document cannot be built because of { $number ->
    [one] one problem
   *[other] { $number } problems
}:{ $obstacles }
    .fix = Fix this and accept the draft: `foundry draft accept NAME`.
build-obstacle =
    {""}
    {"  - "}{ $feature }: { $problem } { $problem-fix }
build-advice-allow-stale = Or build with --allow-stale: the document is then marked as out of date.
build-of-feature = { $feature }: { $problem }
build-left-out = { $feature }: left out because its specification is not approved.
build-not-accepted = Left out, because nobody accepted it: { $paths }.
build-gone = Left out, because its file is gone: { $paths }.
build-newer = { $feature }: { $path } is newer, but nobody accepted it.
build-running = Another build of this project is running.
    .fix = Wait until it has finished, then run this again.
build-title-empty = The title is empty.
    .fix = Give a title, or leave the option out.
build-not-one-of = '{ $name }' is not one of { $known }.
    .fix = Choose one of these, or leave the option out.
build-no-pdf = No PDF: run `{ $command }` to add it.
build-format-unknown = { $name } does not show its format.
    .fix = Use the suffix { $suffixes }, or give --format.
build-format-differs = The suffix of { $name } does not match the format { $format }.
    .fix = Use the suffix .{ $format }, or leave --format out.
build-done = Built { $title }: { $chapters ->
    [one] { $chapters } chapter
   *[other] { $chapters } chapters
}, { $notes ->
    [one] { $notes } note
   *[other] { $notes } notes
}, { $sources ->
    [one] { $sources } source
   *[other] { $sources } sources
}.
build-file = { $path }  ({ $size } kB)
build-out-of-date = OUT OF DATE: the cover and the chapters are marked.
build-no-file = No { $format } document has been built.
    .fix = Build it first.
