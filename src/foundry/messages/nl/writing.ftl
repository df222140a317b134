writing-language = { $code ->
    [nl] het Nederlands
    [en] het Engels
    [de] het Duits
    [fr] het Frans
    [es] het Spaans
    [it] het Italiaans
    [pt] het Portugees
   *[other] { $code }
}
writing-quoted = dit zijn de eigen woorden van de bron
writing-computed = Berekend uit de bronnen: { $formulas }.
writing-removed = { $number ->
    [one] Eén zin is verwijderd: geen bron onderbouwt deze zin.
   *[other] { $number } zinnen zijn verwijderd: geen bron onderbouwt ze.
}
writing-beside = { $number ->
    [one] Eén zin is weggelaten: een bron zegt het, maar het gaat over iets anders.
   *[other] { $number } zinnen zijn weggelaten: bronnen zeggen ze, maar ze gaan over iets anders.
}
writing-other-language = Het model schreef in { $written } in plaats van in { $wanted }.
writing-passages-left-out = { $number ->
    [one] Eén passage uit { $paths } is weggelaten: { $reason }.
   *[other] { $number } passages uit { $paths } zijn weggelaten: { $reason }.
}
writing-unverified = { $number ->
    [one] Eén zin is niet bevestigd: geen bron zegt het precies zo, en geen model heeft het beoordeeld.
   *[other] { $number } zinnen zijn niet bevestigd: geen bron zegt ze precies zo, en geen model heeft ze beoordeeld.
}
writing-disputed = Het controlemodel keurt “{ $sentence }” goed, hoewel: { $reason }.
writing-part-missing = Het model zegt: “{ $said }”
writing-unanswered = Niet beantwoord: { $part }.
writing-judge-failed = Het controlemodel faalde: { $cause }
writing-judge-accepts-control = Het controlemodel { $model } keurde ook een bewering goed die ter controle was toegevoegd en die haar passage tegenspreekt (“{ $control }”): dus wat het daarbij goedkeurde telt niet. `foundry models --check` toont of het geschikt is om te oordelen.
writing-judge-unclear = Het controlemodel { $model } gaf over { $number ->
    [one] één zin
   *[other] { $number } zinnen
} geen bruikbaar oordeel; het oordeel van de vaste regels blijft staan.
writing-window-too-small = De prompt telt zelfs met één passage { $total } tokens (projectbeschrijving { $brief }, specificatie { $spec }, samenvattingen { $summaries }), en { $model } heeft ruimte voor { $room }.
    .fix = Kort de projectbeschrijving of de specificatie in, verlaag generation.max_tokens of max_source_summaries, of kies een groter model.
writing-brief-cut = De projectbeschrijving telt { $tokens } tokens en is ingekort tot { $limit }.
writing-retry-failed = Het model opnieuw vragen is mislukt: { $cause }
writing-retried = Het model is { $times ->
    [one] één keer
   *[other] { $times } keer
} opnieuw gevraagd naar zinnen die geen passage onderbouwt.
writing-surplus = Het model schreef { $number } zinnen; wat na de eerste { $limit } kwam, is weggelaten.
writing-overlong = { $number ->
    [one] Eén zin
   *[other] { $number } zinnen
} van meer dan { $limit } tekens { $number ->
    [one] is
   *[other] zijn
} weggelaten, zoals "{ $example }…".
writing-window-full = { $number ->
    [one] Eén passage uit { $paths } is weggelaten: het venster van het model is vol.
   *[other] { $number } passages uit { $paths } zijn weggelaten: het venster van het model is vol.
}
