count-plain = { $n }
count-pages = { $n ->
        [one] { $n } pagina
       *[other] { $n } pagina's
    }
count-chunks = { $n ->
        [one] { $n } chunk
       *[other] { $n } chunks
    }
count-bytes = { $n ->
        [one] { $n } byte
       *[other] { $n } bytes
    }
count-files = { $n ->
        [one] { $n } bestand
       *[other] { $n } bestanden
    }
count-calls = { $n ->
        [one] { $n } modelaanroep
       *[other] { $n } modelaanroepen
    }
count-tokens = { $n ->
        [one] { $n } token
       *[other] { $n } tokens
    }
count-prefixes = { $n ->
        [one] { $n } prefix
       *[other] { $n } prefixen
    }
count-summaries = { $n ->
        [one] { $n } samenvatting
       *[other] { $n } samenvattingen
    }
count-sources = { $n ->
        [one] { $n } bron
       *[other] { $n } bronnen
    }
