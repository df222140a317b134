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
index-words-search = Zoeken op woorden:
index-vector-search = Zoeken op vectoren:
index-words-segments = de BM25 van Foundry over postings in SQLite { $version }, exact
index-words-postings = de BM25 van Foundry over plaatsen van termen, exact (PostgreSQL { $server } zonder pg_textsearch)
index-words-textsearch = de BM25 van Foundry over wat pg_textsearch { $version } het eerst vindt (PostgreSQL { $server })
index-words-not-built = de BM25 van Foundry over plaatsen van termen, exact (PostgreSQL { $server }). pg_textsearch { $version } is geïnstalleerd; met `foundry index rebuild` wordt het gebruikt
index-words-not-used = de BM25 van Foundry over plaatsen van termen, exact (PostgreSQL { $server }). pg_textsearch { $version } wordt niet gebruikt: vóór { $oldest } verliest zijn index chunks als de server herstart, en het moet in shared_preload_libraries staan. Werk het bij en voer dan `foundry index rebuild` uit
index-not-sorted = De vectoren van { $model } zijn niet in lijsten gesorteerd, omdat een ander proces er intussen enkele wijzigde. Zoeken duurt langer tot de volgende `foundry ingest` ze sorteert.
index-vectors-compared = alle vectoren vergeleken ({ $name } { $version })
index-vectors-lists = de vectoren van de dichtstbijzijnde lijsten vergeleken ({ $name } { $version })
index-recall-of = Gevonden:
index-recall = { $found } van de { $hits } treffers van exact zoeken, gemeten op { $day } bij { $vectors } vectoren
index-recall-found = Zoeken met vectoren vindt { $recall }.
index-recall-outdated = Sinds de meting van wat zoeken op vectoren vindt, is meer dan een achtste van de vectoren gewijzigd. Voer `foundry index verify` uit om opnieuw te meten.
index-recall-unknown = Er is nog niet gemeten wat zoeken op vectoren vindt van de treffers van exact zoeken. Voer `foundry index verify` uit.
index-recall-not-kept = De meting is niet bewaard voor `foundry index status`: { $cause }
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
