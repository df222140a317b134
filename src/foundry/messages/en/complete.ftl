complete-read = { $items ->
    [one] { $items } item
   *[other] { $items } items
}; { $read } of { $found } passages and { $tables ->
    [one] { $tables } table
   *[other] { $tables } tables
} read{ $unread ->
    [0] .
    [one] ; { $unread } file of the project has no text to read.
   *[other] ; { $unread } files of the project have no text to read.
}
complete-left = { $number ->
    [one] { $number } more passage may hold items and was not read.
   *[other] { $number } more passages may hold items and were not read.
} Raise answer.max_read or limit the sources.
complete-matching = Rows and list items that have, or stand under, these words of the question: { $words }. Whether they are what is asked for, and whether other sentences name more, no model has read.
complete-stopped = The list ends where the model stopped: { $cause }
complete-unlisted = { $number } more { $number ->
    [one] row or list item has
   *[other] rows and list items have
} the words of the question; the model did not list them and no judge read them: { $paths }.
