verification-nothing = Niets te controleren: { $file } bevat geen beweringen.
verification-supported = onderbouwd
verification-misattributed = verkeerde bron
verification-partly = deels onderbouwd
verification-unclear = niet te zeggen
verification-unsupported = niet onderbouwd
verification-cites = verwijst naar: { $citations }
verification-why = waarom: { $reason }
verification-differs = de bron zegt: { $text }
verification-found-in = gevonden in: { $place }
verification-nearest = het dichtst erbij: { $place }
verification-line = regel { $line }
verification-skipped = Niet gecontroleerd: { $reasons }.
verification-summary = { $file }: { $total ->
    [one] { $total } bewering
   *[other] { $total } beweringen
}: { $parts }
verification-see-more = (-v toont ze met hun bronnen)
verification-coverage = Dekking { $coverage }: voldoende (validation.min_attribution is { $least }).
verification-coverage-low = Dekking { $coverage }: lager dan validation.min_attribution ({ $least }).
