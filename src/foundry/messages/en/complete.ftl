complete-items = { $number ->
    [one] { $number } item is listed.
   *[other] { $number } items are listed.
}
complete-read = { $read } of { $found } passages that may name one were read, with { $tables ->
    [one] { $tables } table
   *[other] { $tables } tables
}{ $unread ->
    [0] .
    [one] ; { $unread } file of the project has no text to read.
   *[other] ; { $unread } files of the project have no text to read.
}
complete-left = { $number ->
    [one] { $number } passage that may name an item was not read.
   *[other] { $number } passages that may name an item were not read.
} answer.max_read or the window of the model has no room for more.
complete-matching = { $number ->
    [one] { $number } row or list item has
   *[other] { $number } rows and list items have
} these words of the question, here or above: { $words }. Whether that is what is asked for, and whether sentences name more, no model has read.
complete-unmatched = No row or list item has the words of the question. Whether sentences name items, no model has read.
complete-stopped = The list ends where the model stopped: { $cause }
complete-unlisted = { $number ->
    [one] { $number } more row or list item has
   *[other] { $number } more rows and list items have
} the words of the question; the model did not list them and no judge read them: { $paths }.
