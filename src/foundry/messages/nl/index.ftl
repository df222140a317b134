index-sources = Bronnen:
index-chunks = Chunks:
index-text = Tekst:
index-vectors = Vectoren:
index-share = { $n } van { $total } chunks
index-share-by = { $n } van { $total } chunks ({ $model })
index-no-model = nog geen index
index-pending = { $n ->
        [one] { $n } chunk heeft nog geen vector
       *[other] { $n } chunks hebben nog geen vector
    }. Voer `foundry ingest` uit.
index-gate = Poort:
index-gate-own = gekalibreerd op de vragen van dit project
index-rebuilt-text = Tekstindex: { $n ->
        [one] { $n } chunk
       *[other] { $n } chunks
    }.
index-rebuilt-vectors = Vectoren: { $n ->
        [one] { $n } chunk
       *[other] { $n } chunks
    } gemaakt.
index-agrees = In orde: tabellen en indexen kloppen met elkaar.
