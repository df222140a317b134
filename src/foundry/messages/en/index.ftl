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
