build-none-accepted = Er is nog geen concept van geaccepteerd ({ $paths }).
build-no-draft = Er is geen concept van.
build-feature-unreadable = { $path } kan niet worden gelezen. { $problem }
build-file-missing = { $path } ontbreekt of kan niet worden gelezen.
build-edited = { $path } is bewerkt nadat het was geaccepteerd.
build-no-text = { $path } bevat geen tekst.
build-on-line = { $path }, regel { $line }: { $problem }
build-coverage = Het concept is slechts voor { NUMBER($share, style: "percent", maximumFractionDigits: 1) } onderbouwd, minder dan { NUMBER($least, style: "percent") } (validation.min_attribution).
build-coverage-section = Paragraaf “{ $section }” is slechts voor { NUMBER($share, style: "percent", maximumFractionDigits: 1) } onderbouwd, minder dan { NUMBER($least, style: "percent") } (validation.min_attribution).
build-none-approved = Er is geen goedgekeurde specificatie en geen geaccepteerd concept van een agent, en dus niets om te bouwen.
    .fix = Keur er een goed: `foundry feature list`, daarna `foundry feature approve NAAM`; of accepteer een concept: `foundry draft list`, daarna `foundry draft accept PAD`.
build-not-ready = Het document kan niet worden gebouwd vanwege { $number ->
    [one] één probleem
   *[other] { $number } problemen
}:{ $obstacles }
    .fix = Los dit op en accepteer het concept: `foundry draft accept NAAM`.
build-obstacle =
    {""}
    {"  - "}{ $feature }: { $problem } { $problem-fix }
build-advice-allow-stale = Of bouw met --allow-stale: het document wordt dan als verouderd gemarkeerd.
build-of-feature = { $feature }: { $problem }
build-left-out = { $feature }: weggelaten, omdat de specificatie niet is goedgekeurd.
build-not-accepted = Weggelaten, want niemand heeft het geaccepteerd: { $paths }.
build-gone = Weggelaten, want het bestand is weg: { $paths }.
build-newer = { $feature }: { $path } is nieuwer, maar niemand heeft het geaccepteerd.
build-running = Er loopt al een build van dit project.
    .fix = Wacht tot die klaar is en voer dit dan opnieuw uit.
build-title-empty = De titel is leeg.
    .fix = Geef een titel, of laat de optie weg.
build-not-one-of = '{ $name }' staat niet in deze lijst: { $known }.
    .fix = Kies er een uit, of laat de optie weg.
build-no-pdf = Geen pdf: voer `{ $command }` uit om die toe te voegen.
build-format-unknown = Aan { $name } is het formaat niet te zien.
    .fix = Gebruik als achtervoegsel { $suffixes }, of geef --format.
build-format-differs = Het achtervoegsel van { $name } past niet bij het formaat { $format }.
    .fix = Gebruik als achtervoegsel .{ $format }, of laat --format weg.
build-done = { $title } is gebouwd: { $chapters ->
    [one] { $chapters } hoofdstuk
   *[other] { $chapters } hoofdstukken
}, { $notes ->
    [one] { $notes } noot
   *[other] { $notes } noten
}, { $sources ->
    [one] { $sources } bron
   *[other] { $sources } bronnen
}.
build-file = { $path }  ({ $size } kB)
build-out-of-date = VEROUDERD: dit staat op het omslag en bij de hoofdstukken.
build-no-file = Er is geen gebouwd document in het formaat { $format }.
    .fix = Bouw het eerst.
