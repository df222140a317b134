-store-bug = This is a bug in Foundry: please report it, with the command that you ran.
-store-permissions = Check who owns the file and its folder, and that both are writable.
-store-files = the file and the files beside it ending in -wal, -shm and -journal
-store-restore = Move away { -store-files }. Then copy a backup to its place (the newest file ending in .backup), or run `foundry ingest`: it rebuilds everything but logs and drafts from the sources.
-store-rebuild = Run `foundry index rebuild`.
-store-reembed = Run `foundry index rebuild --embeddings`.
-store-reingest = Run `foundry sources remove` on it, then `foundry ingest`.

# Who holds a lock; $command is that of the process, python for a program of somebody's own.
-store-wait = Wait until it is done, or stop that process.
store-holder = { $command ->
        [python] A Python program
       *[other] `foundry { $command }`
    } is busy with this project: process { $process } on { $host }.
    .fix = { -store-wait }
store-holder-since = { $command ->
        [python] A Python program
       *[other] `foundry { $command }`
    } is busy with this project: process { $process } on { $host }, since { $since }.
    .fix = { -store-wait }
store-holder-unknown = Another process is busy with this project.
    .fix = { -store-wait }
store-waited = { $holder } It did not finish in { $minutes ->
        [one] a minute.
       *[other] { $minutes } minutes.
    }
    .fix = Run the command again when it is done. If it hangs, stop that process: what it saved stays.

# Errors of the database library; $cause is what it says.
store-locked = Another process has kept the database locked for more than a minute ({ $cause }).
    .fix = Wait until the other `foundry` finishes, or stop it, and try again.
store-damaged = The database is damaged ({ $cause }).
    .fix = { -store-restore }
store-no-database = The file is not a database ({ $cause }).
    .fix = { -store-restore }
store-disk-full = The disk of the database is full ({ $cause }).
    .fix = Free some space and run the command again; everything saved so far is safe.
store-disk-failed = The disk failed while reading or writing the database ({ $cause }).
    .fix = Check the disk and its connection, then run `foundry index verify`.
store-not-writable = The database is not writable ({ $cause }).
    .fix = { -store-permissions }
store-not-opened = The database cannot be opened ({ $cause }).
    .fix = { -store-permissions }
store-unreachable = The database cannot be reached ({ $cause }).
    .fix = { -store-permissions }
store-no-memory = Not enough memory ({ $cause }).
    .fix = Close other programs and try again.
store-interrupted = The database operation was interrupted ({ $cause }).
    .fix = Run it again.
store-connection-closed = The database is already closed ({ $cause }).
    .fix = { -store-bug }
store-statement-rejected = The database rejected a statement ({ $cause }).
    .fix = { -store-bug }
store-conflict = The data conflicts with what is stored: a duplicate id or path, or a missing owner ({ $cause }).
    .fix = Run `foundry index verify`; if it finds nothing, please report this.
store-file-too-large = The file system does not support a file of this size ({ $cause }).
    .fix = Move the project to a disk that supports large files.
store-text-too-large = A text is too large for the database; a gigabyte is the limit ({ $cause }).
    .fix = Split the source into several files.
store-text-half-character = A text contains half a character (a lone surrogate) and cannot be stored.
    .fix = Save the source as valid UTF-8 and ingest it again.

# The file and its place.
store-address-invalid = Not a valid database address: '{ $address }'.
    .fix = Write sqlite:///PATH, for example sqlite:///.foundry/foundry.db, or postgresql://USER@HOST/DATABASE.
store-folder-outside = The database's folder is outside the project and does not exist: { $folder }.
    .fix = Create the folder, or choose a place inside the project.
store-folder = The database should be a file, but this is a folder.
    .fix = Correct storage.url in foundry.yaml, or move the folder away.
store-file-empty = The database file is empty: it was truncated, or another program created it.
    .fix = Restore a backup, or delete { -store-files } and run `foundry ingest`.
store-foreign-database = The file is a database, but not one created by Foundry.
    .fix = Correct storage.url in foundry.yaml, or move the file away.
store-schema-newer = A newer Foundry wrote this database (schema { $version }, known here { $newest }).
    .fix = Update Foundry, or restore the backup made before the update.
store-schema-older = An older Foundry wrote this database, and it was opened for reading only.
    .fix = Run `foundry ingest` once with write access.
store-other-project = The database belongs to project '{ $owner }', not to '{ $project }'.
    .fix = Restore project.id in foundry.yaml, or name another file in storage.url.
store-no-database-yet = The project has no database yet.
    .fix = Run `foundry ingest` first.
store-read-only = The database was opened for reading only.
    .fix = Check that the database file and its folder are writable.
store-replaced = The database file was moved, removed or replaced while it was in use.
    .fix = Put it back, or start Foundry again to use the file that is there now.
store-closed = The store was closed.
    .fix = Open it again.

# A PostgreSQL server.
store-address-password = The address of the database contains a password, which foundry.yaml must not.
    .fix = Leave it out and set PGPASSWORD, or put it in ~/.pgpass.
store-server-unreachable = The database server cannot be reached ({ $cause }).
    .fix = Check that it runs and that storage.url names its host, port and database.
store-server-busy = The database server has no connection left ({ $cause }).
    .fix = Wait a moment, or raise max_connections on the server.
store-server-disk-full = The disk of the database server is full ({ $cause }).
    .fix = Free space on the server, then run the command again: nothing was half saved.
store-login-refused = The database server refused the login ({ $cause }).
    .fix = Check the user in storage.url and the password in PGPASSWORD or ~/.pgpass.
store-no-such-database = The database does not exist on the server ({ $cause }).
    .fix = Create it: `createdb NAME`, or correct storage.url.
store-not-permitted = The database user may not do this ({ $cause }).
    .fix = Run the command once as the owner of the tables, or grant what roles.sql lists.
store-schema-not-made = The database has no tables of Foundry yet, and this user may not make them ({ $cause }).
    .fix = As the owner of the database, run `foundry ingest` once; then run roles.sql, as docs/installation.md says.
store-schema-not-updated = An older Foundry made the tables, and this user may not update them ({ $cause }).
    .fix = As the owner of the tables, run `foundry ingest` once with this version of Foundry; then run roles.sql again, as docs/installation.md says.
store-schema-changed = The tables are not as Foundry made them ({ $cause }).
    .fix = Somebody changed the schema by hand: restore a backup of the database.
store-text-refused = The database refuses a value ({ $cause }).
    .fix = { -store-bug }
store-server-too-old = The server runs PostgreSQL { $version }; Foundry needs 15 or newer.
    .fix = Upgrade the server, or use SQLite.
store-no-such-project = The database has no project '{ $project }' yet.
    .fix = Run `foundry ingest`, which adds it.
store-project-dropped = The database no longer has this project: it was dropped ({ $cause }).
    .fix = Run `foundry ingest`, which adds the project again and reads its sources; start a running server again.

# What is saved and searched.
store-no-such-source = No such source.
    .fix = Run `foundry sources list` to see all sources.
store-chunk-differs = Chunk { $chunk } differs from the text at { $place }.
    .fix = { -store-bug }
store-no-embeddings = No embeddings found for model { $model }. Run foundry ingest first.
    .fix = Run `foundry ingest`, or set embedding.model back to the model of the index.
store-embeddings-differ = The embeddings of model { $model } were made with different settings.
    .fix = { -store-reembed }
store-vector-shape = A vector has shape { $shape } instead of { $dimension }.
    .fix = { -store-reembed }
store-vector-length = The model returned a vector of length { $length }, not 1.
    .fix = Choose another embedding.model, or report this.
store-no-windows = A chunk has no vectors for its windows.
    .fix = { -store-bug }

# What `foundry index verify` finds.
store-database-damaged = The file is damaged: { $cause }.
    .fix = { -store-restore }
store-damage-more = { $cause }; and { $n } more
store-sources-damaged = Sources cannot be read: { $cause }.
    .fix = { -store-restore }
store-text-index-damaged = The text index is damaged: { $cause }.
    .fix = { -store-rebuild }
store-vectors-damaged = The vectors of { $model } cannot be read: { $cause }.
    .fix = { -store-reembed }
store-chunks-without-source = { $n ->
        [one] One chunk belongs to no source.
       *[other] { $n } chunks belong to no source.
    }
    .fix = { -store-rebuild }
store-blocks-without-source = { $n ->
        [one] One block belongs to no source.
       *[other] { $n } blocks belong to no source.
    }
    .fix = { -store-rebuild }
store-texts-without-source = { $n ->
        [one] One piece of text belongs to no source.
       *[other] { $n } pieces of text belong to no source.
    }
    .fix = { -store-rebuild }
store-paths-without-source = { $n ->
        [one] One heading path belongs to no source.
       *[other] { $n } heading paths belong to no source.
    }
    .fix = { -store-rebuild }
store-summaries-without-source = { $n ->
        [one] One summary belongs to no source.
       *[other] { $n } summaries belong to no source.
    }
    .fix = { -store-rebuild }
store-text-rows-without-chunk = { $n ->
        [one] One row of the text index belongs to no chunk.
       *[other] { $n } rows of the text index belong to no chunk.
    }
    .fix = { -store-rebuild }
store-chunks-without-text-row = { $n ->
        [one] One chunk is not in the text index.
       *[other] { $n } chunks are not in the text index.
    }
    .fix = { -store-rebuild }
store-lengths-differ = The lengths of all chunks differ from the text index by { $n ->
        [one] one term.
       *[other] { $n } terms.
    }
    .fix = { -store-rebuild }
store-words-differ = { $n ->
        [one] One chunk is in the index of pg_textsearch with other words, or not at all.
       *[other] { $n } chunks are in the index of pg_textsearch with other words, or not at all.
    }
    .fix = { -store-rebuild }
store-statistics-differ = { $n ->
        [one] One source has statistics of other chunks.
       *[other] { $n } sources have statistics of other chunks.
    }
    .fix = { -store-rebuild }
store-chunk-text-differs = { $n ->
        [one] One chunk of { $path } differs from its text.
       *[other] { $n } chunks of { $path } differ from its text.
    }
    .fix = { -store-reingest }
store-chunk-content-differs = { $n ->
        [one] One chunk of { $path } differs from its embedded text.
       *[other] { $n } chunks of { $path } differ from their embedded text.
    }
    .fix = { -store-reingest }
store-chunk-blocks-differ = { $n ->
        [one] One chunk of { $path } does not point to its blocks.
       *[other] { $n } chunks of { $path } do not point to their blocks.
    }
    .fix = { -store-reingest }
store-chunk-terms-differ = { $n ->
        [one] One chunk of { $path } has different terms in the text index.
       *[other] { $n } chunks of { $path } have different terms in the text index.
    }
    .fix = { -store-rebuild }
store-source-without-summary = { $path } has no summary.
    .fix = { -store-reingest }
store-vectors-unregistered = The table { $table } belongs to no index.
    .fix = { -store-rebuild }
store-vectors-without-chunk = { $n ->
        [one] One vector of { $model } belongs to no chunk.
       *[other] { $n } vectors of { $model } belong to no chunk.
    }
    .fix = { -store-rebuild }
store-vectors-lost = Vectors of { $model } listed: { $n }; a search sees { $visible }.
    .fix = { -store-reembed }
store-vectors-wrong = { $n ->
        [one] One vector of { $model } has the wrong size or is not of length 1.
       *[other] { $n } vectors of { $model } have the wrong size or are not of length 1.
    }
    .fix = { -store-reembed }
store-vectors-without-windows = { $n ->
        [one] One vector of { $model } lacks the vectors of its windows.
       *[other] { $n } vectors of { $model } lack the vectors of their windows.
    }
    .fix = { -store-reembed }
store-windows-without-vector = { $n ->
        [one] One chunk has windows of { $model } and no vector.
       *[other] { $n } chunks have windows of { $model } and no vector.
    }
    .fix = { -store-reembed }
store-windows-wrong = { $n ->
        [one] One chunk has damaged windows of { $model }.
       *[other] { $n } chunks have damaged windows of { $model }.
    }
    .fix = { -store-reembed }
