count-plain = { $n }
count-pages = { $n ->
        [one] { $n } page
       *[other] { $n } pages
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
        [one] { $n } file
       *[other] { $n } files
    }
count-calls = { $n ->
        [one] { $n } model call
       *[other] { $n } model calls
    }
count-tokens = { $n ->
        [one] { $n } token
       *[other] { $n } tokens
    }
count-prefixes = { $n ->
        [one] { $n } prefix
       *[other] { $n } prefixes
    }
count-summaries = { $n ->
        [one] { $n } summary
       *[other] { $n } summaries
    }
count-sources = { $n ->
        [one] { $n } source
       *[other] { $n } sources
    }
