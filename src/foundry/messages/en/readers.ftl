readers-image-without-words = No words were recognised in this image.
    .fix = If it shows text, scan or save it at a higher resolution; 300 dpi works best.
readers-ocr-unsure = Page { $page } was hard to read (confidence { $confidence } of 100).
readers-image-no-ocr = This is an image, and { $why }.
readers-image-too-large = This image is too large to be opened: { $width } × { $height } pixels.
    .fix = Save it smaller; 300 dpi is enough.
readers-image-ocr-failed = OCR could not read this image: { $cause }
    .fix = Open it in an image program and save it as PNG.
readers-ocr-too-slow = Tesseract took longer than { $seconds } s on one page.
    .fix = Scan it at 300 dpi.
readers-ocr-failed = Tesseract failed: { $cause }.
    .fix = Run `foundry doctor` to check Tesseract.
readers-ocr-turned = Not scanned upright, and turned to be read: { $pages }.
readers-ocr-dropped = { $number ->
        [one] One line was
       *[other] { $number } lines were
    } illegible and left out: { $pages }.
    .fix = Scan the page again in higher quality if it matters.
readers-ocr-doubts = Two OCR programs read digits, signs or units differently: { $pages }, { $number ->
        [one] one place
       *[other] { $number } places
    }, such as “{ $read }” or “{ $other }”. Check them in the scan.
readers-ocr-late = Not read, because there was no more time for OCR: { $pages }.
    .fix = Raise ingest.parse_timeout_s.
readers-no-reason = no reason given
readers-image-unreadable = This image cannot be opened: { $cause }.
    .fix = Open it in an image program and save it as PNG.
readers-not-found = No such file or folder.
readers-link-outside = It points outside the project folder.
readers-outside = It is outside the project folder.
readers-excluded = ingest.exclude excludes it.
readers-link-leaves = It is a link to a place outside { $folder }.
readers-folder-unreadable = Cannot read the folder: { $cause }.
readers-name-not-utf8 = Its name is not valid UTF-8; rename it.
readers-unreadable = Cannot read it: { $cause }.
readers-name-controls = Its path contains a line break or another control character; rename it.
readers-too-large = It is too large: { $size } MB, and ingest.max_file_mb allows { $limit } MB.
readers-forbidden = You do not have permission to read it.
readers-no-extension = files without an extension
readers-type-left-out = Foundry cannot read { $suffix }.
readers-kind-left-out = Foundry cannot read this kind of { $suffix }.
readers-bad-pattern = Not a valid pattern: { $cause }.
    .fix = Use *, **, ? and [abc], as in **/*.pdf or drafts/**.
readers-looks-like = it looks like { $kind }
readers-zero-bytes = it contains zero bytes
readers-no-encoding = its bytes match no text encoding
readers-encoding-guessed = The file does not declare its encoding; it was read as { $encoding }.
readers-invalid-bytes = { $number ->
        [one] 1 invalid byte sequence
       *[other] { $number } invalid byte sequences
    } in { $encoding }, shown as �.
readers-control-characters = it contains too many control characters
readers-not-text = This is not a text file: { $cause }.
    .fix = Give the file the right extension, save a text as UTF-8, or leave it out.
readers-parser-failed = Cannot read the file as { $kind }: { $cause }.
    .fix = It may be damaged. Open it in its own program and save it again.
readers-cannot-open = Cannot open the file: { $cause }.
    .fix = Check that the file exists and that you may read it.
readers-unsupported = Foundry cannot read { $suffix }.
    .fix = Supported extensions: { $known }.
readers-not-regular = This is not a regular file.
    .fix = Point to the file itself.
readers-empty = The file is empty.
    .fix = Remove it, or save it again.
readers-text-too-long = Its text is too long: { $length } characters, and one file may have { $limit }.
    .fix = Split it into several files.
readers-out-of-memory = it needs more memory than is available
readers-nested-deeply = it is nested too deeply
readers-kind-pdf = a PDF
readers-kind-image-png = a PNG image
readers-kind-image-jpeg = a JPEG image
readers-kind-image-gif = a GIF image
readers-kind-image-tiff = a TIFF image
readers-kind-rar = a RAR archive
readers-kind-7zip = a 7-Zip archive
readers-kind-gzip = a gzip file
readers-kind-zip-document = a zip file (DOCX, XLSX, PPTX, ODT or EPUB)
readers-kind-office-old = an Office file from before 2007, or an encrypted one
readers-kind-program = a program
readers-kind-sqlite = a SQLite database
readers-kind-epub = an EPUB book
readers-kind-odt = an ODT document
readers-kind-odp = an ODP presentation
readers-kind-ods = an ODS spreadsheet
readers-kind-rtf = an RTF document
readers-kind-html = an HTML page
readers-kind-text = plain text
readers-kind-word = a Word document
readers-kind-excel = an Excel workbook
readers-kind-powerpoint = a PowerPoint presentation
readers-kind-epub-or-odf = an EPUB or OpenDocument file
readers-kind-zip-other = a zip file of another kind
readers-kind-odf-text = an OpenDocument text or presentation
readers-kind-outlook = an Outlook message
readers-rtf-body = its RTF text
readers-kind-workbook = a workbook
readers-kind-binary = binary data
readers-kind-image = an image
readers-kind-of-type = a file of type '{ $type }'
readers-part-missing = This is a zip file, but not { $kind }: the part '{ $part }' is missing.
    .fix = Give the file the right extension, or save it again.
readers-damaged = The file is damaged or not complete: { $cause }.
    .fix = Open it in the program that made it and save it again, or get a fresh copy.
readers-entities = Its XML ({ $part }) declares entities, which can be used for attacks.
    .fix = Save the document again in the program that made it.
readers-long-prolog = Its XML ({ $part }) has no element in the first { $kilobytes } kB.
    .fix = Open it in the program that made it and save it again, or get a fresh copy.
readers-office-old = This is an Office file in the format from before 2007, not { $kind }.
    .fix = Open it and save it in the current format (.docx, .xlsx, .pptx).
readers-no-libreoffice = This format from before 2007 is read with LibreOffice, which is not installed.
    .fix = Install LibreOffice (`apt install libreoffice`), or open the file and save it as .{ $target }.
readers-not-converted = LibreOffice could not convert it: { $cause }.
    .fix = Open it in its own program and save it as .{ $target }.
readers-no-bytes = The file is empty (0 bytes).
    .fix = Get a fresh copy.
readers-not-of-kind = This is not { $kind }: the file is damaged or not complete.
    .fix = Open it in the program that made it and save it again, or get a fresh copy.
readers-wrong-kind = This is { $actual }, not { $expected }.
    .fix = Give the file the right extension.
readers-encrypted = The file is encrypted with a password.
    .fix = Open it with its password and save a copy without one.
readers-zip-directory = its directory is wrong
readers-not-unpacked = The zip file cannot be unpacked: { $cause }.
    .fix = Open it in the program that made it and save it again, or get a fresh copy.
readers-bomb = Unpacked, the file would be far larger than any document (a zip bomb).
    .fix = Leave it out, or split it into smaller files if you trust it.
readers-timeout = { $phase ->
    [cut] Cutting the file into passages
    [index] Analysing its passages
   *[read] Reading the file
} took longer than { $seconds } seconds and was stopped.
    .fix = Increase ingest.parse_timeout_s, or split the file.
readers-memory = { $phase ->
    [cut] Cutting the file into passages
    [index] Analysing its passages
   *[read] Reading the file
} took more than { NUMBER($megabytes, useGrouping: 0) } MB and was stopped.
    .fix = Increase ingest.parse_memory_mb, or split the file.
readers-cut-failed = The file was read, but could not be cut into passages: { $cause }.
    .fix = Please report the file, or leave it out with ingest.exclude.
readers-not-started = The parser process did not start.
    .fix = Run `foundry doctor` and try again.
readers-exit-status = exit status { $status }
readers-crashed = The parser crashed on this file ({ $how }).
    .fix = It may be damaged. Open it in its own program and save it again.
readers-changed-meanwhile = The file changed while it was being read.
    .fix = Wait until it is completely saved or copied, then ingest again.
readers-pdf-no-pages = This PDF has no pages.
    .fix = Save it again from its own program.
readers-pdf-damaged = This is not a PDF, or it is damaged or incomplete.
    .fix = Download or export it again, and check that it opens in a PDF viewer.
readers-pdf-encrypted = This PDF is encrypted.
    .fix = Put the password in a file in the project and name the file in ingest.passwords_from.
readers-pdf-passwords-fail = This PDF is encrypted, and none of the given passwords opens it.
    .fix = Put the password in a file in the project and name the file in ingest.passwords_from.
readers-pdf-empty = This PDF contains no text: its pages are empty.
    .fix = Export it again from its own program.
readers-pages = { $number ->
        [one] page { $numbers }
       *[other] pages { $numbers }
    }
readers-pdf-lost = Nothing could be read on { $pages }.
readers-pdf-unknown-signs = { $number ->
        [one] A character
       *[other] { $number } characters
    } of an unmapped font { $number ->
        [one] is
       *[other] are
    } shown as “�” on { $pages }.
readers-pdf-unreadable = This PDF contains no readable text; it may be damaged.
    .fix = Export it again from its own program.
readers-pdf-ocr-off = ingest.ocr is off
    .fix = Set ingest.ocr to auto.
readers-pdf-no-tesseract = Tesseract is not installed
    .fix = Install it: { $install } (or your system's package of Tesseract).
readers-pdf-no-rapidocr = RapidOCR is not installed
    .fix = Install it: { $install }
readers-pdf-only-page = Its only page is a picture
readers-pdf-all-pages = All { $number } pages are pictures
readers-pdf-some-pages = { $number ->
        [one] One page is a picture
       *[other] { $number } pages are pictures
    }: { $pages }
readers-pdf-pictures = { $pictures } (scans or drawings), and { $why }.
readers-pdf-no-text = This PDF contains no text. { $problem }
readers-pdf-pictures-read = OCR ({ $engines }) read pictures on { $pages }; check the words for mistakes.
readers-pdf-pictures-unread = Pictures on { $pages } were not read.
readers-pdf-ocr-failed = OCR failed ({ $cause })
    .fix = Run `foundry doctor` to check OCR.
readers-pdf-ocr-no-words = OCR found no words in them
    .fix = Scan it again at a higher resolution.
readers-pdf-ocr-done = OCR ({ $engines }) read { $pages }; check the words for mistakes.
readers-pdf-ocr-blank = OCR found no words on { $pages }.
readers-epub-empty = There is no text in this book.
    .fix = If its pages are pictures, convert it to a PDF to read it with OCR.
readers-epub-protected = The book is protected (digital rights management).
    .fix = Ask the publisher for a copy without protection.
readers-epub-chapter-missing = A chapter is missing from the file: { $part }.
readers-mail-headers-cut = Headers were read up to { $limit } characters.
readers-attachments-named = Attachments were not read: { $names }. Save them as separate files.
readers-attachments-cut = Of its { NUMBER($all) } attachments, the first { $read } were read.
readers-mail-no-body = The message itself has no text.
readers-mail-too-many-parts = The message has more than { $limit } parts.
    .fix = Save the attachments that matter as separate files.
readers-mail-no-headers = This is { $actual }, not an e-mail: it has no headers.
    .fix = Save the message as .eml in your mail program.
readers-mail-encrypted = The message is encrypted.
    .fix = Open it in your mail program and save the text as a .txt file.
readers-html-empty = There is no text in this page.
    .fix = If a script writes the text, open the page in a browser and save it as a PDF.
readers-html-attributes = An element has more than { $limit } attributes.
    .fix = Open the page in a browser and save its text, or leave it out.
readers-markdown-deep = Quotations or lists are nested more than { $limit } levels deep. What is deeper was not read.
readers-written-includes = The file names other files, which are not read as part of it: { $names }. In a folder of sources they are sources themselves.
readers-written-unread = Not read: { $names }.
readers-written-unknown = Shown by their names, as their text is not in the file: { $names }.
readers-written-too-large = It is too large for its format: { $size } MB, and { $limit } MB can be read.
    .fix = Split it into several files.
readers-notebook-unknown = This is not a notebook of format 4: it has no list of cells.
    .fix = Open it in Jupyter and save it again.
readers-xml-unknown = Foundry does not read this kind of XML: its first element is { $name }.
    .fix = DocBook, DITA and ReqIF are read. Export it to one of them or to HTML, or leave it out with ingest.exclude.
readers-yaml-unknown = This YAML does not describe an API.
    .fix = OpenAPI and Swagger are read. Leave it out with ingest.exclude.
readers-written-bomb = Its references and aliases, written out, would be far larger than any document.
    .fix = Leave it out with ingest.exclude.
readers-kind-reqif = a ReqIF archive
readers-html-nested = Elements are nested more than { $limit } levels deep.
    .fix = Open the page in a browser and save its text, or leave it out.
readers-transcript-not-json = This is not valid JSON: { $cause }.
    .fix = Download the transcript again.
readers-transcript-no-cues = The transcript has no cues with text.
    .fix = Open it in its own program; if it shows text, save it again or export it as a PDF.
readers-transcript-no-webvtt = The first line should be WEBVTT.
readers-subtitles-no-cues = This file has no cues with text; it starts with '{ $start }'.
    .fix = Each cue needs a line such as 00:01.000 --> 00:04.000 with its text below.
readers-transcript-unknown = This JSON is not a transcript in a known format.
    .fix = Use {"{"}"events": [{"{"}"tStartMs", "dDurationMs", "segs"{"}"}]{"}"} or a list of {"{"}"text", "start", "duration"{"}"}. Exclude other JSON files with ingest.exclude.
readers-no-text = There is no text in this file.
    .fix = Open it in its own program; if it shows text, save it again or export it as a PDF.
readers-rtf-cut = The file ends in the middle: it may not be complete.
readers-slides = { $number ->
        [one] slide { $numbers }
       *[other] slides { $numbers }
    }
readers-slides-hidden = Hidden slides were read too: { $slides }.
readers-slides-empty = Without text: { $slides } (pictures are not read).
readers-slides-without-text = There is no text on these slides.
    .fix = Export the presentation as a PDF, and install Tesseract to read the pictures.
readers-docx-unnumbered = Some automatic numbers have an unknown format: their headings and list items have no number here.
readers-comments-left-out = Comments were left out.
readers-pictures-left-out = { $number ->
        [one] 1 picture was not read.
       *[other] { $number } pictures were not read.
    }
readers-docx-embedded = Documents embedded in this one (altChunk) were not read.
readers-docx-only-pictures = The document contains pictures but no text.
    .fix = Export it as a PDF, and install Tesseract to read the pictures.
readers-changes-accepted = Tracked changes: insertions were kept and deletions left out.
readers-hidden-text = Hidden text was left out.
readers-workbook-empty = There are no filled cells in this workbook.
    .fix = If it has only formulas, open and save it once, so that their values are stored.
readers-sheets-hidden = Hidden sheets were left out: { $names }.
readers-workbook-damaged = The workbook is damaged or incomplete: { $cause }.
    .fix = Open it in a spreadsheet program and save it again.
readers-table-empty = There are no filled cells in this file.
    .fix = Export it again from the program that made it.
readers-open-quote = A quotation mark is never closed: all were read as ordinary characters.
readers-sheet = Sheet '{ $name }'
readers-file = The file
readers-rows-cut = { $place } is too long: it was read up to row { $row }.
readers-is-pipe = It is a named pipe, not a file.
readers-is-socket = It is a socket, not a file.
readers-is-device = It is a device, not a file.
readers-pdf-pictures-left = { $problem } Run `foundry doctor` to check OCR.
readers-facts-differ = The { $fact } is { $value } { $origin }, but { $other } { $place }.
