index-sources = Sources:
index-chunks = Chunks:
index-text = Text:
index-vectors = Vectors:
index-share = { $n } of { $total } chunks
index-share-by = { $n } of { $total } chunks ({ $model })
index-no-model = no index yet
index-pending = { $n ->
        [one] { $n } chunk has no vector yet
       *[other] { $n } chunks have no vector yet
    }. Run `foundry ingest`.
index-words-search = Word search:
index-vector-search = Vector search:
index-words-segments = Foundry's BM25 over postings in SQLite { $version }, exact
index-words-postings = Foundry's BM25 over postings, exact (PostgreSQL { $server } without pg_textsearch)
index-words-textsearch = Foundry's BM25 over what pg_textsearch { $version } finds first (PostgreSQL { $server })
index-words-not-built = Foundry's BM25 over postings, exact (PostgreSQL { $server }). pg_textsearch { $version } is installed; run `foundry index rebuild` to use it
index-words-not-used = Foundry's BM25 over postings, exact (PostgreSQL { $server }). pg_textsearch { $version } is not used: before { $oldest } its index loses chunks when the server restarts, and it must be in shared_preload_libraries. Update it, then run `foundry index rebuild`
index-not-sorted = The vectors of { $model } were not sorted into lists, because another process changed some meanwhile. Searches take longer until the next `foundry ingest` sorts them.
index-vectors-compared = every vector compared ({ $name } { $version })
index-vectors-lists = the vectors of the nearest lists compared ({ $name } { $version })
index-recall-of = Recall:
index-recall = { $found } of the { $hits } hits of an exact search, measured { $day } at { $vectors } vectors
index-recall-found = Vector search finds { $recall }.
index-recall-outdated = More than an eighth of the vectors changed since recall was measured. Run `foundry index verify` to measure it again.
index-recall-unknown = What vector search finds of an exact search's hits has not been measured. Run `foundry index verify`.
index-recall-not-kept = The measurement was not saved for `foundry index status`: { $cause }
index-gate = Gate:
index-gate-own = calibrated on this project's questions
index-rebuilt-text = Text index: { $n ->
        [one] { $n } chunk
       *[other] { $n } chunks
    }.
index-rebuilt-vectors = Vectors: { $n ->
        [one] { $n } chunk
       *[other] { $n } chunks
    } embedded.
index-agrees = OK: tables and indexes agree.
