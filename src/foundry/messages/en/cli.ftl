cli-did-you-mean = {" "}Did you mean '{ $name }'?
cli-error = Error: { $text }
    .where = {"  "}Where: { $text }
    .fix = {"  "}Next:  { $text }
cli-unknown-command = Unknown command '{ $name }'.{ $hint }
    .fix = Run `{ $path } --help` to see the commands.
cli-no-such-option = No such option: { $name }.{ $hint }
    .fix = Run `{ $path } --help` to see its options. Put -- before text that starts with a dash.
cli-missing-argument = { $name } is missing.
    .fix = Run `{ $path } --help` to see how it is called.
cli-usage = { $text }
    .fix = Run `{ $path } --help` to see its options.
cli-extra-arguments = This is more than the command takes: { $words }
    .fix = Run `{ $path } --help` to see how it is called. Put quotes around text with spaces.
cli-option-needs-value = { $name } needs a value.
    .fix = Run `{ $path } --help` to see its options.
cli-option-without-value = { $name } takes no value.
    .fix = Run `{ $path } --help` to see its options.
cli-wrong-value = Invalid value for { $name }: '{ $value }'.
    .fix = Give { $expected }.
cli-expected-choice = one of: { $names }
cli-expected-date = a date, such as 2026-01-31
cli-expected-file = a file that can be read
cli-expected-minimum = { $kind ->
        [integer] a whole number
       *[number] a number
    } of at least { $least }
cli-expected-range = { $kind ->
        [integer] a whole number
       *[number] a number
    } from { $least } to { $most }
cli-interrupted = Interrupted.
    .fix = Run the same command again to resume.
cli-package-missing = The Python package { $name } is not installed.
    .fix = Run `pip install { $name }`.
cli-disk-full = The disk is full.
    .fix = Free some space, then run the same command again; saved work is kept.
cli-system = The operating system reported: { $cause }.
    .fix = Check that the file or folder is accessible.
cli-unexpected = Unexpected error: { $kind }: { $cause }
    .fix = Run it again with -vv and report the traceback.
cli-note = Note: { $text }
cli-warning = Warning: { $text }
cli-next = Next: { $text }
cli-price = ${ NUMBER($cost, minimumFractionDigits: 2, maximumFractionDigits: 2) }
cli-price-small = ${ NUMBER($cost, minimumSignificantDigits: 1, maximumSignificantDigits: 1) }
cli-price-unknown = cost unknown
cli-verdict = { $verdict }
cli-score = { NUMBER($value, minimumFractionDigits: 2, maximumFractionDigits: 2) }
cli-share = { NUMBER($value, style: "percent", maximumFractionDigits: 0) }
cli-milliseconds = { NUMBER($value, maximumFractionDigits: 0) } ms
cli-seconds = { NUMBER($value, minimumFractionDigits: 1, maximumFractionDigits: 1) } s
cli-input-empty = The { $what ->
        [query] query
        [topic] topic
       *[question] question
    } is empty.
    .fix = Give it in quotes, or give - and pipe it in.
cli-input-too-long = The { $what ->
        [query] query
        [topic] topic
       *[question] question
    } is longer than { $limit } bytes.
    .fix = Shorten it.
cli-input-not-utf8 = The { $what ->
        [query] query
        [topic] topic
       *[question] question
    } is not UTF-8 text.
    .fix = Convert it to UTF-8.
cli-file-exists = File exists: { $names }
cli-overwrite = Overwrite?
cli-confirm = { $question } [y/N]:
cli-yes = y yes
cli-no-command = A command is missing.
