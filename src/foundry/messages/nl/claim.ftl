claim-and = { $first }; { $second }
claim-at = { $name }: { $reason }
claim-cites-nothing = de zin verwijst nergens naar
claim-unknown-citation = { $name } hoort niet bij het bewijs
claim-supported-by = { $name } onderbouwt de zin
claim-no-support = geen enkele passage onderbouwt de zin
claim-nothing-to-check = er is niets om de zin mee te vergelijken
claim-judge-supports = het controlemodel vindt het in de geciteerde woorden
claim-judge-overrules = het controlemodel keurt het goed, hoewel: { $reason }
claim-judge-rejects = het controlemodel vindt niet alles terug: { $missing }
claim-judge-rejects-plainly = het controlemodel vindt het niet terug
claim-judge-elsewhere = de controle haalt niets aan uit { $name }
claim-figure-absent = '{ $value }' komt in geen passage voor en volgt niet uit de getallen daar
claim-computed = berekend: { $formulas }
claim-nearest-quote = { $name } zegt "{ $quote }"
claim-says-nothing = de zin beweert niets dat te controleren is
claim-no-sentence = het bewijs bevat geen zinnen
claim-word-for-word = staat woordelijk in de bron
claim-exact = één zin of rij zegt het
claim-open = geen zin of rij zegt precies dit
claim-orphan = de zin verwijst naar een zin die is verwijderd
claim-not-quoted = de bron zegt het niet woordelijk zo, en de paragraaf bestaat uit citaten
claim-beside = een bron zegt het, maar het gaat niet over wat gevraagd is
claim-cells-doubtful = { $number ->
    [one] de rij of kolom van “{ $value }” is onzeker
   *[other] de rijen of kolommen van { $number } waarden zijn onzeker, waaronder “{ $value }”
}
claim-several-rows = één rij zegt het, maar een andere rij met die naam heeft een andere waarde

claim-says-other = de zin zegt '{ $said }' waar de bron '{ $found }' zegt
claim-negation-added-word = de zin heeft '{ $word }', en dat staat daar niet in de bron
claim-negation-missing = de ontkenning '{ $word }' uit de bron ontbreekt
