outside-read = { $reader }, a service outside, read { $pages }; check the words for mistakes.
outside-failed = { $reader } did not read { $pages }: { $cause } What is read here stays, and the next ingest tries again.
    .fix = Check ingest.outside and the service: `foundry doctor`.
outside-late = There was no more time.
    .fix = Raise ingest.parse_timeout_s.
outside-unknown = { $number ->
        [one] A word
       *[other] { $number } words
    } of { $reader }, such as “{ $word }”, { $number ->
        [one] is
       *[other] are
    } not in the text of { $pages } and left out.
outside-doubts = OCR here did not read { $number ->
        [one] a number or sign
       *[other] { $number } numbers and signs
    } that { $reader } read on { $pages }, such as “{ $word }”. Check them in the scan.
outside-unchecked = Nothing here could check what was read on { $pages }: how sure it is, is not known.
    .fix = Install an OCR engine (`foundry doctor`), and ingest the file again.
outside-strays = { $number ->
        [one] A part
       *[other] { $number } parts
    } that { $reader } placed on a page that it was not sent { $number ->
        [one] is
       *[other] are
    } left out.
outside-page-failed = The service could not read the page: { $cause }.
outside-page-large = The page has { $size } MB, and ingest.outside.max_mb is { $limit }.
    .fix = Raise ingest.outside.max_mb.
outside-refused-size = { $model } takes no page of this size (HTTP 413).
outside-reply-shape = What the service sent is not what { $service } replies.
outside-no-service = No service of this kind answers at { $address }.
    .fix = Check ingest.outside.kind and ingest.outside.address.
outside-key-in-clear = { $variable } would be sent to { $address } unencrypted, where others on the way can read it.
    .fix = Use an https address, or unset { $variable }.
outside-not-local = mode is offline, but ingest.outside.address is not on this machine: { $address }.
    .fix = Run the service on this machine, set ingest.outside.pages: never, or set mode: online.
outside-unavailable = { $reader } cannot be asked, so that pages are read here: { $cause } Once it answers, an ingest has them read.
    .fix = Run `foundry doctor` to check it.
