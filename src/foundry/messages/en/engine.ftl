# The search engine beside the database.

-engine-rebuild = Run `foundry index rebuild --engine`.

engine-address-invalid = Not an address of a search engine: { $address }.
    .fix = Use lancedb:///FOLDER, or lancedb+s3://BUCKET/PATH (also +gs, +az) with the keys in the environment.
engine-foreign = The search engine has another project's vectors.
    .fix = Set storage.engine_url to a place that no other project uses.
engine-other-database = The search engine has the vectors of another database with this project, as of a copy of it.
    .fix = Set storage.engine_url to a place that only this database uses. If the other one is gone or was moved here, run `foundry index rebuild --engine`.
engine-not-local = mode is offline, but storage.engine_url is not on this machine: { $address }.
    .fix = Use lancedb:///FOLDER, or set mode: online.
engine-none = No search engine is configured.
    .fix = Set storage.engine_url in foundry.yaml.
engine-ahead = The changes in the search engine differ from those in the database, as after the database was restored to an earlier state, or when another copy of it uses the same place.
    .fix = Run `foundry index rebuild --engine`. If another copy of the database uses the same place, first set storage.engine_url to one that only this database uses.
engine-behind = The search engine lacks more changes than a search compares itself.
    .fix = Run `foundry ingest`, or wait until it ends.
engine-failed = The search engine failed: { $cause }.
    .fix = Check its folder or bucket and the free space, then run `foundry index rebuild --engine`.
engine-fallback = The database searched the vectors itself, because the search engine could not. { $cause }
    .fix = Run `foundry index verify`.
engine-not-updated = The search engine is behind: it did not receive the latest changes. { $cause } Run `foundry ingest` again; if this note returns, run `foundry index rebuild --engine`.
engine-used = { $name } { $version } in { $place }: { $n ->
        [one] { $n } vector
       *[other] { $n } vectors
    }{ $changed ->
        [0] , up to date
        [one] ; { $changed } changed source is compared in the database
       *[other] ; { $changed } changed sources are compared in the database
    }
engine-beside = { $name } { $version } in { $place }
engine-not-used = the search engine cannot be used. { $cause } { $fix }
engine-problem = { $cause }
    .fix = { -engine-rebuild }
engine-lacks = The search engine lacks { $n ->
        [one] { $n } vector
       *[other] { $n } vectors
    } of { $model }.
    .fix = { -engine-rebuild }
engine-extra = The search engine has { $n ->
        [one] { $n } vector
       *[other] { $n } vectors
    } of { $model } that the database does not have.
    .fix = { -engine-rebuild }
engine-differs = The search engine has { $n ->
        [one] { $n } vector
       *[other] { $n } vectors
    } of { $model } with another value.
    .fix = { -engine-rebuild }
engine-sent = Search engine: { $n ->
        [one] { $n } vector
       *[other] { $n } vectors
    } sent.
