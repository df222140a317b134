readers-image-without-words = In deze afbeelding zijn geen woorden herkend.
    .fix = Als er tekst op staat: scan of bewaar de afbeelding met een hogere resolutie; 300 dpi werkt het best.
readers-ocr-unsure = Pagina { $page } was slecht leesbaar (zekerheid { $confidence } van 100).
readers-image-no-ocr = Dit is een afbeelding, en { $why }.
readers-image-too-large = Deze afbeelding is te groot om te openen: { $width } × { $height } pixels.
    .fix = Maak de afbeelding kleiner; 300 dpi is genoeg.
readers-image-ocr-failed = OCR kon deze afbeelding niet lezen: { $cause }
    .fix = Open de afbeelding in een beeldprogramma en bewaar die als PNG.
readers-ocr-too-slow = Tesseract had meer dan { $seconds } s nodig voor één pagina.
    .fix = Scan de pagina met 300 dpi.
readers-ocr-failed = Tesseract mislukte: { $cause }.
    .fix = Voer `foundry doctor` uit om Tesseract te controleren.
readers-ocr-turned = Niet rechtop gescand en daarom gedraaid: { $pages }.
readers-ocr-dropped = { $number ->
        [one] Eén onleesbare regel is
       *[other] { $number } onleesbare regels zijn
    } weggelaten: { $pages }.
    .fix = Scan de pagina opnieuw in betere kwaliteit als het ertoe doet.
readers-ocr-doubts = Twee OCR-programma's lazen cijfers, tekens of eenheden verschillend: { $pages }, { $number ->
        [one] één plaats
       *[other] { $number } plaatsen
    }, zoals “{ $read }” of “{ $other }”. Controleer ze in de scan.
readers-ocr-late = Niet gelezen, omdat de tijd voor OCR op was: { $pages }.
    .fix = Verhoog ingest.parse_timeout_s.
readers-no-reason = zonder opgave van reden
readers-image-unreadable = Deze afbeelding kan niet worden geopend: { $cause }.
    .fix = Open de afbeelding in een beeldprogramma en bewaar die als PNG.
readers-not-found = Dit bestand of deze map bestaat niet.
readers-link-outside = Het verwijst naar een plaats buiten de projectmap.
readers-outside = Het ligt buiten de projectmap.
readers-excluded = ingest.exclude sluit het uit.
readers-link-leaves = Het is een koppeling naar een plaats buiten { $folder }.
readers-folder-unreadable = De map kan niet worden gelezen: { $cause }.
readers-name-not-utf8 = De naam is geen geldige UTF-8; hernoem het.
readers-unreadable = Het kan niet worden gelezen: { $cause }.
readers-name-controls = Het pad bevat een regeleinde of een ander stuurteken; hernoem het.
readers-too-large = Het is te groot: { $size } MB, en ingest.max_file_mb staat { $limit } MB toe.
readers-forbidden = Lezen is niet toegestaan.
readers-no-extension = bestanden zonder extensie
readers-type-left-out = Foundry kan { $suffix } niet lezen.
readers-kind-left-out = Foundry kan dit soort { $suffix } niet lezen.
readers-bad-pattern = Geen geldig patroon: { $cause }.
    .fix = Gebruik *, **, ? en [abc], zoals in **/*.pdf of drafts/**.
readers-looks-like = het lijkt op { $kind }
readers-zero-bytes = het bevat nulbytes
readers-no-encoding = de bytes passen bij geen tekstcodering
readers-encoding-guessed = Het bestand noemt zijn tekstcodering niet; het is gelezen als { $encoding }.
readers-invalid-bytes = { $number ->
        [one] 1 ongeldige bytereeks
       *[other] { $number } ongeldige bytereeksen
    } in { $encoding }, getoond als �.
readers-control-characters = het bevat te veel stuurtekens
readers-not-text = Dit is geen tekstbestand: { $cause }.
    .fix = Geef het bestand de juiste extensie, bewaar een tekst als UTF-8, of laat het weg.
readers-parser-failed = Het bestand kan niet als { $kind } worden gelezen: { $cause }.
    .fix = Het kan beschadigd zijn. Open het in het eigen programma en bewaar het opnieuw.
readers-cannot-open = Het bestand kan niet worden geopend: { $cause }.
    .fix = Controleer of het bestand bestaat en of het leesbaar is.
readers-unsupported = Foundry kan { $suffix } niet lezen.
    .fix = Ondersteunde extensies: { $known }.
readers-not-regular = Dit is geen gewoon bestand.
    .fix = Verwijs naar het bestand zelf.
readers-empty = Het bestand is leeg.
    .fix = Verwijder het, of bewaar het opnieuw.
readers-text-too-long = De tekst is te lang: { $length } tekens, en één bestand mag er { $limit } hebben.
    .fix = Splits het in meerdere bestanden.
readers-out-of-memory = het vraagt meer geheugen dan er is
readers-nested-deeply = het is te diep genest
readers-kind-pdf = een PDF
readers-kind-image-png = een PNG-afbeelding
readers-kind-image-jpeg = een JPEG-afbeelding
readers-kind-image-gif = een GIF-afbeelding
readers-kind-image-tiff = een TIFF-afbeelding
readers-kind-rar = een RAR-archief
readers-kind-7zip = een 7-Zip-archief
readers-kind-gzip = een gzip-bestand
readers-kind-zip-document = een zipbestand (DOCX, XLSX, PPTX, ODT of EPUB)
readers-kind-office-old = een Office-bestand van vóór 2007, of een versleuteld bestand
readers-kind-program = een programma
readers-kind-sqlite = een SQLite-database
readers-kind-epub = een EPUB-boek
readers-kind-odt = een ODT-document
readers-kind-odp = een ODP-presentatie
readers-kind-ods = een ODS-rekenblad
readers-kind-rtf = een RTF-document
readers-kind-html = een HTML-pagina
readers-kind-text = platte tekst
readers-kind-word = een Word-document
readers-kind-excel = een Excel-werkmap
readers-kind-powerpoint = een PowerPoint-presentatie
readers-kind-epub-or-odf = een EPUB- of OpenDocument-bestand
readers-kind-zip-other = een zipbestand van een andere soort
readers-kind-odf-text = een OpenDocument-tekst of -presentatie
readers-kind-outlook = een Outlook-bericht
readers-rtf-body = de RTF-tekst
readers-kind-workbook = een werkmap
readers-kind-binary = binaire gegevens
readers-kind-image = een afbeelding
readers-kind-of-type = een bestand van het type '{ $type }'
readers-part-missing = Dit is een zipbestand, maar niet { $kind }: het onderdeel '{ $part }' ontbreekt.
    .fix = Geef het bestand de juiste extensie, of bewaar het opnieuw.
readers-damaged = Het bestand is beschadigd of onvolledig: { $cause }.
    .fix = Open het in het programma waarmee het gemaakt is en bewaar het opnieuw, of haal een nieuwe kopie.
readers-entities = De XML ({ $part }) definieert entiteiten, waarmee aanvallen mogelijk zijn.
    .fix = Bewaar het document opnieuw in het programma waarmee het gemaakt is.
readers-long-prolog = De XML ({ $part }) heeft geen element in de eerste { $kilobytes } kB.
    .fix = Open het in het programma waarmee het gemaakt is en bewaar het opnieuw, of haal een nieuwe kopie.
readers-office-old = Dit is een Office-bestand in het formaat van vóór 2007, niet { $kind }.
    .fix = Open het en bewaar het in het huidige formaat (.docx, .xlsx, .pptx).
readers-no-libreoffice = Dit formaat van vóór 2007 wordt gelezen met LibreOffice, dat niet is geïnstalleerd.
    .fix = Installeer LibreOffice (`apt install libreoffice`), of open het bestand en bewaar het als .{ $target }.
readers-not-converted = LibreOffice kon het niet omzetten: { $cause }.
    .fix = Open het in het eigen programma en bewaar het als .{ $target }.
readers-no-bytes = Het bestand is leeg (0 bytes).
    .fix = Haal een nieuwe kopie.
readers-not-of-kind = Dit is niet { $kind }: het bestand is beschadigd of onvolledig.
    .fix = Open het in het programma waarmee het gemaakt is en bewaar het opnieuw, of haal een nieuwe kopie.
readers-wrong-kind = Dit is { $actual }, niet { $expected }.
    .fix = Geef het bestand de juiste extensie.
readers-encrypted = Het bestand is versleuteld met een wachtwoord.
    .fix = Open het met het wachtwoord en bewaar een kopie zonder.
readers-zip-directory = de inhoudsopgave klopt niet
readers-not-unpacked = Het zipbestand kan niet worden uitgepakt: { $cause }.
    .fix = Open het in het programma waarmee het gemaakt is en bewaar het opnieuw, of haal een nieuwe kopie.
readers-bomb = Uitgepakt zou het bestand veel groter zijn dan enig document (een zipbom).
    .fix = Laat het weg, of splits het in kleinere bestanden als het te vertrouwen is.
readers-timeout = { $phase ->
    [cut] Het bestand in passages snijden
    [index] Het ontleden van de passages
   *[read] Het lezen van het bestand
} duurde langer dan { $seconds } seconden en is gestopt.
    .fix = Verhoog ingest.parse_timeout_s, of splits het bestand.
readers-memory = { $phase ->
    [cut] Het bestand in passages snijden
    [index] Het ontleden van de passages
   *[read] Het lezen van het bestand
} vroeg meer dan { NUMBER($megabytes, useGrouping: 0) } MB en is gestopt.
    .fix = Verhoog ingest.parse_memory_mb, of splits het bestand.
readers-cut-failed = Het bestand is gelezen, maar kon niet in passages worden gesneden: { $cause }.
    .fix = Meld het bestand, of laat het weg met ingest.exclude.
readers-not-started = Het leesproces startte niet.
    .fix = Voer `foundry doctor` uit en probeer het opnieuw.
readers-exit-status = exitstatus { $status }
readers-crashed = De lezer liep vast op dit bestand ({ $how }).
    .fix = Het kan beschadigd zijn. Open het in het eigen programma en bewaar het opnieuw.
readers-changed-meanwhile = Het bestand veranderde terwijl het werd gelezen.
    .fix = Wacht tot het helemaal bewaard of gekopieerd is, en lees het dan opnieuw in.
readers-pdf-no-pages = Deze PDF heeft geen pagina's.
    .fix = Bewaar hem opnieuw vanuit het eigen programma.
readers-pdf-damaged = Dit is geen PDF, of hij is beschadigd of onvolledig.
    .fix = Download of exporteer hem opnieuw, en controleer of hij in een PDF-lezer opent.
readers-pdf-encrypted = Deze PDF is versleuteld.
    .fix = Zet het wachtwoord in een bestand in het project en noem dat bestand in ingest.passwords_from.
readers-pdf-passwords-fail = Deze PDF is versleuteld, en geen van de opgegeven wachtwoorden opent hem.
    .fix = Zet het wachtwoord in een bestand in het project en noem dat bestand in ingest.passwords_from.
readers-pdf-empty = Deze PDF bevat geen tekst: de pagina's zijn leeg.
    .fix = Exporteer hem opnieuw vanuit het eigen programma.
readers-pages = { $number ->
        [one] pagina { $numbers }
       *[other] pagina's { $numbers }
    }
readers-pdf-lost = Op { $pages } kon niets worden gelezen.
readers-pdf-unknown-signs = { $number ->
        [one] Een teken
       *[other] { $number } tekens
    } uit een lettertype zonder namen { $number ->
        [one] staat
       *[other] staan
    } als ‘�’ op { $pages }.
readers-pdf-unreadable = Deze PDF bevat geen leesbare tekst; hij kan beschadigd zijn.
    .fix = Exporteer hem opnieuw vanuit het eigen programma.
readers-pdf-ocr-off = ingest.ocr staat uit
    .fix = Zet ingest.ocr op auto.
readers-pdf-no-tesseract = Tesseract is niet geïnstalleerd
    .fix = Installeer het: { $install } (of het Tesseract-pakket van het systeem).
readers-pdf-no-rapidocr = RapidOCR is niet geïnstalleerd
    .fix = Installeer het: { $install }
readers-pdf-only-page = De enige pagina is een afbeelding
readers-pdf-all-pages = Alle { $number } pagina's zijn afbeeldingen
readers-pdf-some-pages = { $number ->
        [one] Eén pagina is een afbeelding
       *[other] { $number } pagina's zijn afbeeldingen
    }: { $pages }
readers-pdf-pictures = { $pictures } (scans of tekeningen), en { $why }.
readers-pdf-no-text = Deze PDF bevat geen tekst. { $problem }
readers-pdf-pictures-read = OCR ({ $engines }) las afbeeldingen op { $pages }; controleer de woorden op fouten.
readers-pdf-pictures-unread = Afbeeldingen op { $pages } zijn niet gelezen.
readers-pdf-ocr-failed = OCR mislukte ({ $cause })
    .fix = Voer `foundry doctor` uit om OCR te controleren.
readers-pdf-ocr-no-words = OCR vond er geen woorden in
    .fix = Scan het opnieuw met een hogere resolutie.
readers-pdf-ocr-done = OCR ({ $engines }) las { $pages }; controleer de woorden op fouten.
readers-pdf-ocr-blank = OCR vond geen woorden op { $pages }.
readers-epub-empty = Dit boek bevat geen tekst.
    .fix = Als de pagina's afbeeldingen zijn: zet het om naar PDF, zodat OCR het kan lezen.
readers-epub-protected = Het boek is beveiligd (digital rights management).
    .fix = Vraag de uitgever om een onbeveiligde kopie.
readers-epub-chapter-missing = Er ontbreekt een hoofdstuk in het bestand: { $part }.
readers-mail-headers-cut = Kopregels zijn gelezen tot { $limit } tekens.
readers-attachments-named = Bijlagen zijn niet gelezen: { $names }. Bewaar ze als losse bestanden.
readers-attachments-cut = Van de { NUMBER($all) } bijlagen zijn de eerste { $read } gelezen.
readers-mail-no-body = Het bericht zelf bevat geen tekst.
readers-mail-too-many-parts = Het bericht heeft meer dan { $limit } onderdelen.
    .fix = Bewaar de bijlagen die ertoe doen als losse bestanden.
readers-mail-no-headers = Dit is { $actual }, geen e-mail: er zijn geen kopregels.
    .fix = Bewaar het bericht als .eml in het mailprogramma.
readers-mail-encrypted = Het bericht is versleuteld.
    .fix = Open het in het mailprogramma en bewaar de tekst als .txt-bestand.
readers-html-empty = Deze pagina bevat geen tekst.
    .fix = Als een script de tekst schrijft: open de pagina in een browser en bewaar die als PDF.
readers-html-attributes = Een element heeft meer dan { $limit } attributen.
    .fix = Open de pagina in een browser en bewaar de tekst, of laat die weg.
readers-markdown-deep = Citaten of lijsten zijn meer dan { $limit } niveaus diep genest. Wat dieper staat, is niet gelezen.
readers-written-includes = Het bestand noemt andere bestanden, die niet als deel ervan worden gelezen: { $names }. In een map met bronnen zijn ze zelf bronnen.
readers-written-unread = Niet gelezen: { $names }.
readers-written-unknown = Getoond met hun naam, want hun tekst staat niet in het bestand: { $names }.
readers-written-too-large = Het is te groot voor zijn formaat: { $size } MB, en { $limit } MB kan worden gelezen.
    .fix = Splits het in meerdere bestanden.
readers-notebook-unknown = Dit is geen notebook van formaat 4: het heeft geen lijst van cellen.
    .fix = Open het in Jupyter en sla het opnieuw op.
readers-xml-unknown = Foundry leest dit soort XML niet: het eerste element is { $name }.
    .fix = DocBook, DITA en ReqIF worden gelezen. Exporteer het naar een daarvan of naar HTML, of laat het weg met ingest.exclude.
readers-yaml-unknown = Deze YAML beschrijft geen API.
    .fix = OpenAPI en Swagger worden gelezen. Laat het weg met ingest.exclude.
readers-written-bomb = De verwijzingen en aliassen zouden, uitgeschreven, veel groter zijn dan welk document ook.
    .fix = Laat het weg met ingest.exclude.
readers-kind-reqif = een ReqIF-archief
readers-html-nested = Elementen zijn meer dan { $limit } niveaus diep genest.
    .fix = Open de pagina in een browser en bewaar de tekst, of laat die weg.
readers-transcript-not-json = Dit is geen geldige JSON: { $cause }.
    .fix = Download het transcript opnieuw.
readers-transcript-no-cues = Het transcript bevat geen fragmenten met tekst.
    .fix = Open het in het eigen programma; als het tekst toont, bewaar het opnieuw of exporteer het als PDF.
readers-transcript-no-webvtt = De eerste regel hoort WEBVTT te zijn.
readers-subtitles-no-cues = Dit bestand bevat geen fragmenten met tekst; het begint met '{ $start }'.
    .fix = Elk fragment vraagt een regel als 00:01.000 --> 00:04.000 met de tekst eronder.
readers-transcript-unknown = Deze JSON is geen transcript in een bekende vorm.
    .fix = Gebruik {"{"}"events": [{"{"}"tStartMs", "dDurationMs", "segs"{"}"}]{"}"} of een lijst van {"{"}"text", "start", "duration"{"}"}. Sluit andere JSON-bestanden uit met ingest.exclude.
readers-no-text = Dit bestand bevat geen tekst.
    .fix = Open het in het eigen programma; als het tekst toont, bewaar het opnieuw of exporteer het als PDF.
readers-rtf-cut = Het bestand eindigt middenin: het is mogelijk onvolledig.
readers-slides = { $number ->
        [one] dia { $numbers }
       *[other] dia's { $numbers }
    }
readers-slides-hidden = Verborgen dia's zijn ook gelezen: { $slides }.
readers-slides-empty = Zonder tekst: { $slides } (afbeeldingen worden niet gelezen).
readers-slides-without-text = Deze dia's bevatten geen tekst.
    .fix = Exporteer de presentatie als PDF, en installeer Tesseract om de afbeeldingen te lezen.
readers-docx-unnumbered = Sommige automatische nummers hebben een onbekende vorm: die koppen en lijstpunten hebben hier geen nummer.
readers-comments-left-out = Opmerkingen zijn weggelaten.
readers-pictures-left-out = { $number ->
        [one] 1 afbeelding is niet gelezen.
       *[other] { $number } afbeeldingen zijn niet gelezen.
    }
readers-docx-embedded = Documenten die in dit document zijn ingesloten (altChunk) zijn niet gelezen.
readers-docx-only-pictures = Het document bevat afbeeldingen maar geen tekst.
    .fix = Exporteer het als PDF, en installeer Tesseract om de afbeeldingen te lezen.
readers-changes-accepted = Bijgehouden wijzigingen: invoegingen zijn behouden en verwijderingen weggelaten.
readers-hidden-text = Verborgen tekst is weggelaten.
readers-workbook-empty = Deze werkmap bevat geen gevulde cellen.
    .fix = Als er alleen formules in staan: open en bewaar de werkmap één keer, zodat de waarden worden opgeslagen.
readers-sheets-hidden = Verborgen bladen zijn weggelaten: { $names }.
readers-workbook-damaged = De werkmap is beschadigd of onvolledig: { $cause }.
    .fix = Open de werkmap in een rekenprogramma en bewaar die opnieuw.
readers-table-empty = Dit bestand bevat geen gevulde cellen.
    .fix = Exporteer het opnieuw vanuit het programma waarmee het gemaakt is.
readers-open-quote = Een aanhalingsteken wordt nergens gesloten: alle zijn als gewone tekens gelezen.
readers-sheet = Blad '{ $name }'
readers-file = Het bestand
readers-rows-cut = { $place } is te lang: het is gelezen tot en met rij { $row }.
readers-is-pipe = Het is een named pipe, geen bestand.
readers-is-socket = Het is een socket, geen bestand.
readers-is-device = Het is een apparaat, geen bestand.
readers-pdf-pictures-left = { $problem } Voer `foundry doctor` uit om OCR te controleren.
readers-facts-differ = De { $fact } is { $value } { $origin }, maar { $other } { $place }.
