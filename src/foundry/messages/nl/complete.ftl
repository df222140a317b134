complete-items = { $number ->
    [one] Er staat { $number } item in de lijst.
   *[other] Er staan { $number } items in de lijst.
}
complete-read = { $read } van de { $found } passages die er een kunnen noemen zijn gelezen, met { $tables ->
    [one] { $tables } tabel
   *[other] { $tables } tabellen
}{ $unread ->
    [0] .
    [one] ; { $unread } bestand van het project heeft geen leesbare tekst.
   *[other] ; { $unread } bestanden van het project hebben geen leesbare tekst.
}
complete-left = { $number ->
    [one] { $number } passage die een item kan noemen is niet gelezen.
   *[other] { $number } passages die een item kunnen noemen zijn niet gelezen.
} answer.max_read of het venster van het model laat er niet meer toe.
complete-matching = { $number ->
    [one] { $number } rij of lijstitem heeft
   *[other] { $number } rijen en lijstitems hebben
} deze woorden van de vraag, zelf of erboven: { $words }. Of dit is wat gevraagd wordt, en of zinnen er meer noemen, heeft geen model gelezen.
complete-unmatched = Geen rij of lijstitem heeft de woorden van de vraag. Of zinnen items noemen, heeft geen model gelezen.
complete-stopped = De lijst eindigt waar het model stopte: { $cause }
complete-unlisted = { $number ->
    [one] Nog { $number } rij of lijstitem heeft
   *[other] Nog { $number } rijen en lijstitems hebben
} de woorden van de vraag; het model noemde ze niet en geen controlemodel las ze: { $paths }.
