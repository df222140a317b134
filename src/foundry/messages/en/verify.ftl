verify-no-result = The parser gave no result.
verify-file-missing = The file cannot be found or opened: { $cause }.
    .fix = Check the path; - reads standard input.
verify-is-folder = This is a folder.
    .fix = Name one file at a time.
verify-too-large = It is too large: { $size } MB; ingest.max_file_mb allows { $limit } MB.
    .fix = Verify a part of it or raise ingest.max_file_mb.
verify-no-sources = The project has no sources: there is nothing to verify against.
    .fix = Put files into sources/ and run `foundry ingest`.
verify-only-itself = No source is left to verify against: the file is the only one.
    .fix = Widen --filter and --role, or ingest the sources of the text.
    .request = Widen the filters, use a token with a higher role, or add the sources of the text.
verify-none-admitted = No source is left to verify against: the filter and role admit none.
    .fix = Widen --filter and --role, or ingest the sources of the text.
    .request = Widen the filters, use a token with a higher role, or add the sources of the text.
verify-own-source = The file is itself a source ({ $paths }), so it is not evidence for itself.
verify-unknown-citations = { $number ->
    [one] One citation names no source of this project: { $names }.
   *[other] { $number } citations name no source of this project: { $names }.
}
verify-other-source = { $cited } does not support it, but { $found } does
verify-other-page = the words are on page { $found } of the source, not on page { $cited }
verify-no-passage = no passage was found
verify-input-empty = Standard input is empty.
    .fix = Pipe in a text, or name a file.
verify-standard-input = standard input
verify-not-judged = { $number } of { $total } statements were not judged; the verdict of the rules stays.
verify-judge-is-no-model = { $model } is not a language model that can judge.
    .fix = Name one, such as ollama/llama3.1, or none.
    .request = Use configured or none.
verify-changed = The file changed while it was verified.
    .fix = Verify it again.
verify-two-formats = --json and --format { $format } were both given.
    .fix = Give one of them.
verify-not-word = { $name } is not a Word file, so it cannot get comments.
    .fix = --format docx takes a .docx, .docm, .dotx or .dotm file. For any other file use text, json or sarif.
verify-output-missing = A copy with comments needs a file to be written to.
    .fix = Give --output PATH.
verify-output-suffix = { $name } does not fit a report in the format { $format }.
    .fix = Give the copy of a Word file the ending of that file, and no other report such an ending.
verify-output-is-file = The report would replace the file that is verified.
    .fix = Choose another --output.
verify-judge-of-server = A server judges with its own model, or not at all.
    .fix = Give --judge none, or leave it out.
verify-format-of-server = A server sends the report as text or JSON.
    .fix = Leave out --output, and --format except text and json; or run it where the project is.
verify-wrote = Wrote { $path }
verify-commented = Wrote { $path } with { $number ->
    [one] one comment
   *[other] { $number } comments
}
verify-unplaced = { $number ->
    [one] One statement is in a page header or footer, or was not found in the file again
   *[other] { $number } statements are in page headers and footers, or were not found in the file again
}, so they have no comment; --format text lists all.
