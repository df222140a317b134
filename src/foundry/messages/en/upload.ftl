upload-name-taken = There is already another file named { $name }.
    .fix = Rename yours, or say that it replaces the other.
    .request = Rename yours, or send it with replace=true, or with keep_both=true for a name of its own.
upload-too-large = The file has more than { $limit } MB.
    .fix = Raise ingest.max_file_mb, or split the file.
upload-program = The file is a program or a script.
    .fix = Send a document.
upload-other-kind = The name ends in { $suffix }, but the content is { $kind }.
    .fix = Give the file the right extension.
upload-attached = { $path } is attached to { $outer } and has no file of its own.
    .fix = Remove { $outer } instead.
upload-file-stays = The file { $path } cannot be removed: { $cause }. Nothing was removed.
    .fix = Remove it where it is, then remove the source.
upload-waiting = It was sent, and is not read: it waits, or was cancelled.
upload-kind-unknown = something else
upload-unknown = { $path } is not among the files that could not be read.
    .fix = `foundry sources list` shows them.
