verification-nothing = Niets te controleren: { $file } bevat geen beweringen.
verification-exact = exact
verification-supported = onderbouwd volgens het model
verification-misattributed = verkeerde bron
verification-partly = deels onderbouwd volgens het model
verification-unclear = lees deze
verification-contradicted = tegengesproken
verification-unsupported = niet onderbouwd volgens het model
verification-cites = verwijst naar: { $citations }
verification-why = waarom: { $reason }
verification-differs = de bron zegt: { $text }
verification-found-in = gevonden in: { $place }
verification-nearest = het dichtst erbij: { $place }
verification-missing = dichtstbijzijnde passage mist: { $words }
verification-shared = dichtstbijzijnde passage heeft: { $words }
verification-line = regel { $line }
verification-skipped = Niet gecontroleerd: { $reasons }.
verification-summary = { $file }: { $total ->
    [one] { $total } bewering
   *[other] { $total } beweringen
}: { $parts }
verification-see-more = (-v toont ze met hun bronnen)
verification-coverage = Dekking { $coverage } (exact { $exact }, door het model { $judged }): voldoende (validation.min_attribution is { $least }).
verification-coverage-low = Dekking { $coverage } (exact { $exact }, door het model { $judged }): lager dan validation.min_attribution ({ $least }).
