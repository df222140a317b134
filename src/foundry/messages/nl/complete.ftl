complete-read = { $items ->
    [one] { $items } item
   *[other] { $items } items
}; { $read } van { $found } passages en { $tables ->
    [one] { $tables } tabel
   *[other] { $tables } tabellen
} gelezen{ $unread ->
    [0] .
    [one] ; { $unread } bestand van het project heeft geen leesbare tekst.
   *[other] ; { $unread } bestanden van het project hebben geen leesbare tekst.
}
complete-left = { $number ->
    [one] Nog { $number } passage bevat misschien items en is niet gelezen.
   *[other] Nog { $number } passages bevatten misschien items en zijn niet gelezen.
} Verhoog answer.max_read of beperk de bronnen.
complete-matching = Rijen en lijstitems met deze woorden van de vraag, in de tekst of in wat erboven staat: { $words }. Geen model heeft gelezen of dit is wat gevraagd wordt, en of andere zinnen er meer noemen.
complete-stopped = De lijst eindigt waar het model stopte: { $cause }
complete-unlisted = Nog { $number } { $number ->
    [one] rij of lijstitem bevat
   *[other] rijen en lijstitems bevatten
} de woorden van de vraag; het model noemde ze niet en geen controlemodel las ze: { $paths }.
