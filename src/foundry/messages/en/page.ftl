page-unknown = There is no page { $page }; the file has { $pages } pages.
page-busy = The server was busy with other pages for { $seconds } s.
    .fix = Try again.
page-not-placed = The words were not found on the page.
page-partly-placed = Some of the words were not found on the page.
page-none = { $path } has no pages that can be shown.
page-file-missing = { $path } is no longer in the project folder.
    .fix = Put the file back, or run `foundry ingest` to remove it from the project.
page-file-changed = { $path } has changed since it was read.
    .fix = Run `foundry ingest` to read it again.
page-file-packed = { $path } could not be unpacked from the file it is attached to.
page-words-gone = The cited words are no longer in this source.
page-words-several = The cited words occur { $n } times, and their surroundings have changed.
page-question = { $number ->
    [many] What are { $subject }?
   *[one] What is { $subject }?
}
