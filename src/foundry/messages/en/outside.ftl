outside-read = The service { $reader } read { $pages }; check the text for errors.
outside-failed = { $reader } did not read { $pages }: { $cause } Foundry read them itself, and tries the service again at the next ingest.
    .fix = Check ingest.outside and the service: `foundry doctor`.
outside-late = The time limit was reached.
    .fix = Raise ingest.parse_timeout_s.
outside-unknown = { $number ->
        [one] A word
       *[other] { $number } words
    } that { $reader } read, such as “{ $word }”, { $number ->
        [one] is
       *[other] are
    } not in the text of { $pages } and left out.
outside-doubts = OCR did not confirm { $number ->
        [one] a number or symbol
       *[other] { $number } numbers and symbols
    } that { $reader } read on { $pages }, such as “{ $word }”. Check them in the scan.
outside-unchecked = The text read on { $pages } could not be checked, so its confidence is unknown.
    .fix = Install an OCR engine (see `foundry doctor`), and ingest the file again.
outside-strays = { $number ->
        [one] A part
       *[other] { $number } parts
    } of the reply from { $reader } { $number ->
        [one] is
       *[other] are
    } on a page that was not sent, and left out.
outside-page-failed = The service could not read the page: { $cause }.
outside-page-large = The page has { $size } MB; ingest.outside.max_mb is { $limit }.
    .fix = Raise ingest.outside.max_mb.
outside-refused-size = { $model } does not accept pages of this size (HTTP 413).
outside-reply-shape = The reply does not have the format of { $service }.
outside-no-service = No service of this kind answers at { $address }.
    .fix = Check ingest.outside.kind and ingest.outside.address.
outside-key-in-clear = { $variable } would be sent to { $address } unencrypted.
    .fix = Use an https address, or unset { $variable }.
outside-not-local = mode is offline, but ingest.outside.address is not on this machine: { $address }.
    .fix = Run the service on this machine, set ingest.outside.pages: never, or set mode: online.
outside-unavailable = { $reader } is unavailable, so Foundry reads the pages itself: { $cause } A later ingest tries the service again.
    .fix = Run `foundry doctor` to check it.
