correction-added = Corrected: { $change }
correction-removed = Undone: { $change }
correction-none-yet = No corrections. Correct what was read wrongly with `foundry correction add`.
correction-no-blocks = No block of this source matches.
correction-words = “{ $after }”, read as “{ $before }”
correction-heading = “{ $words }”: { $before } becomes { $after }
correction-heading-text = text
correction-heading-level = heading of level { $level }
correction-header = { $after ->
        [one] { $after } header row
       *[other] { $after } header rows
    } of a table, read as { $before }
correction-is-applied = applied
correction-not-applied = not applied: { $reason }
correction-by-on = by { $author }, { $day }
correction-of-block = block { $block }
correction-why = Reason: { $reason }

# Why one is not applied.
correction-block-gone = the block is gone: the file is read differently now
correction-block-several = the same text is now in several blocks
correction-twice = another correction ({ $id }) changes the same words, heading or table
    .fix = Undo that one first: `foundry correction remove { $id }`.
correction-file-changed = { $path } has changed since; correct its new text if it is still wrong
correction-source-gone = { $path } is no longer a source
correction-undone = it was undone
correction-pending = not applied yet to { $path }: make or undo any correction of it, or ingest it again
correction-left-out = { $n ->
        [one] { $n } correction no longer applies
       *[other] { $n } corrections no longer apply
    }: see `foundry correction list`

correction-not-text = A block of kind { $kind } cannot be a heading.
    .fix = Choose a heading, paragraph or list item; `foundry correction blocks` lists them.
correction-heading-long = These words are too long for a heading: { $n } characters, at most { $limit }.
    .fix = Give only the words of the heading.
correction-not-table = This block is not a table but a block of kind { $kind }.
    .fix = `foundry correction blocks` shows which blocks are tables.
correction-table-continued = This block continues a table that begins in an earlier one.
    .fix = Correct the header in the block where the table begins.
correction-header-rows = The table's first block has { $n ->
        [one] { $n } row
       *[other] { $n } rows
    }: at most { $most } can name its columns.
    .fix = Give a smaller number; 0 if no row names the columns.
correction-no-values = No value would be left in the table.
    .fix = Give another number of header rows.
correction-unknown = This project has no correction '{ $id }'.
    .fix = Run `foundry correction list` to see their ids.
correction-known = This is already corrected ({ $id }).
    .fix = Undo it with `foundry correction remove` to make another.
correction-reason-missing = A correction needs a reason.
    .fix = Say with --reason how you know, such as "the print says 16".
    .request = Say in reason how you know, such as "the print says 16".
correction-reason-long = The reason is longer than { $limit } characters.
    .fix = Shorten it.
correction-same = It is already read this way.
    .fix = Give a different value.
correction-kind = A correction changes one thing: the words, a heading, or the header of a table.
    .fix = Give one of --read, --heading and --header-rows.
    .request = Give one of read, heading and header_rows.
correction-place-missing = Neither words nor a block to correct were given.
    .fix = Give the words as the source has them, or the number of a block with --block.
    .request = Give the words as the source has them, or the number of a block as block.
correction-no-block = Block { $n } does not exist: the source has { $most }.
    .fix = `foundry correction blocks` lists them.
correction-words-missing = The words '{ $words }' are not in the source as it was read.
    .fix = Copy them from `foundry correction blocks`: upper and lower case count.
correction-words-several = '{ $words }' is in several blocks: { $blocks }.
    .fix = Choose one with --block, or give more words.
    .request = Choose one as block, or give more words.
correction-words-twice = '{ $words }' occurs { $n } times in block { $blocks }.
    .fix = Give more words around it.
correction-read-missing = The corrected words are missing.
    .fix = Give them with --read.
    .request = Give them as read.
correction-cells = Words of a table must stay in one cell.
    .fix = Correct one cell at a time, without "|".
correction-level = '{ $level }' is not a level.
    .fix = Give 1 to 6, or "text" if it is not a heading.
correction-table = table, { $n ->
        [one] { $n } header row
       *[other] { $n } header rows
    }
