copy-done = { $sources ->
        [one] One source
       *[other] { $sources } sources
    } in the copy ({ $copied } copied now, with { $vectors } vectors), and { $rows ->
        [one] one row
       *[other] { $rows } rows
    } of logs, drafts, evaluation and caches.
copy-verified = OK: the copy is complete, and its tables and indexes agree.
copy-next = Set storage.url in foundry.yaml to { $address }.
copy-differs = { $name }: { $expected } in the original, { $found } in the copy.
    .fix = Run `foundry copy` again with an empty database.
copy-same = FROM and TO are the same database.
    .fix = Name two databases.
copy-empty = The database has nothing of this project.
    .fix = Check FROM: it is the database to copy.
copy-target-taken = The database has other content of this project.
    .fix = Name an empty database: a copy replaces nothing.
