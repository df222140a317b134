correction-added = Corrected: { $change }
correction-dry-run = Would be corrected: { $change }
correction-cited-by = Cited by “{ $title }”: { $sentence }
correction-removed = Undone: { $change }
correction-none-yet = No corrections. Correct what was read wrongly with `foundry correction add`.
correction-no-blocks = No block of this source matches.
correction-words = “{ $after }”, read as “{ $before }”
correction-heading = “{ $words }”: { $before } becomes { $after }
correction-heading-text = text
correction-heading-level = heading of level { $level }
correction-row-dropped = row “{ $before }” dropped
correction-table-shape = { $kind ->
        [header] header rows of a table: { $after }, read as { $before }
        [columns] header columns of a table: { $after }, read as { $before }
        [span] merged cells of a table: { $after }
        [split] a new table starts at row { $after }
       *[merge] joined with the next table, “{ $after }”
    }
correction-grids = To show one table as a grid with row and column names, use --block NUMBER.
correction-is-applied = applied
correction-not-applied = not applied: { $reason }
correction-by-on = by { $author }, { $day }
correction-of-block = block { $block }
correction-why = Reason: { $reason }

# Why one is not applied.
correction-block-gone = the block is gone: the file is read differently now
correction-block-several = the same text is now in several blocks
correction-twice = another correction ({ $id }) already changes this
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
correction-header-rows = The block has { $n ->
        [one] { $n } row
       *[other] { $n } rows
    } of the table: at most { $most } can name its columns.
    .fix = Give a smaller number; 0 if no row names the columns.
correction-outside = The table of this block has the cells A1 to { $last }.
    .fix = `foundry correction blocks` with --block shows its rows and columns.
correction-span-overlap = The merged ranges overlap.
    .fix = Give ranges that do not overlap.
correction-span-words = The words of merged cells must be in one row.
    .fix = Put them into one row first, with --row and --read.
    .request = Put them into one row first, with row and read.
correction-no-rows = This would drop every row of the block.
    .fix = Keep at least one row.
correction-no-next-table = No table follows this one.
    .fix = Give the block of the first table of the two.
correction-cells-wrong = '{ $cells }' is not a row, cell or range.
    .fix = Give rows as 3 or 3-5, cells as B3, merged cells as B1:D1.
correction-no-values = No value would be left in the table.
    .fix = Give other header rows or columns.
correction-unknown = This project has no correction '{ $id }'.
    .fix = Run `foundry correction list` to see their ids.
correction-known = This is already corrected ({ $id }).
    .fix = Undo it with `foundry correction remove` to make another.
correction-meanwhile = { $author } corrected this block meanwhile.
    .fix = Look at how it reads now, then save yours again if it is still needed.
correction-undone-meanwhile = A correction of this block was undone meanwhile.
    .fix = Look at how it reads now, then save yours again if it is still needed.
correction-reason-missing = A correction needs a reason.
    .fix = Say with --reason how you know, such as "the print says 16".
    .request = Say in reason how you know, such as "the print says 16".
correction-reason-long = The reason is longer than { $limit } characters.
    .fix = Shorten it.
correction-same = It is already read this way.
    .fix = Give a different value.
correction-kind = A correction changes one thing: words, a heading, or rows, columns or cells of a table.
    .fix = Give one of --read, --drop, --heading, --header-rows, --header-columns, --span, --split and --merge.
    .request = Give one of read, drop, heading, header_rows, header_columns, span, split and merge.
correction-place-missing = Nothing to correct was given.
    .fix = Give the words as the source has them, or a block with --block, and a row of a table with --row.
    .request = Give the words as the source has them, or block, and row for a row of a table.
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
