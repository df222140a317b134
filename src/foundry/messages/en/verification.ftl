verification-nothing = Nothing to check: { $file } contains no statements.
verification-exact = exact
verification-supported = judged supported
verification-misattributed = misattributed
verification-partly = judged partly supported
verification-unclear = read these
verification-contradicted = contradicted
verification-unsupported = judged unsupported
verification-cites = cites: { $citations }
verification-why = why: { $reason }
verification-differs = source says: { $text }
verification-found-in = found in: { $place }
verification-nearest = nearest: { $place }
verification-missing = nearest passage lacks: { $words }
verification-shared = nearest passage has: { $words }
verification-line = line { $line }
verification-skipped = Not checked: { $reasons }.
verification-summary = { $file }: { $total ->
    [one] { $total } statement
   *[other] { $total } statements
}: { $parts }
verification-see-more = (-v lists them with their sources)
verification-coverage = Coverage { $coverage } (exact { $exact }, judged { $judged }): sufficient (validation.min_attribution is { $least }).
verification-coverage-low = Coverage { $coverage } (exact { $exact }, judged { $judged }): below validation.min_attribution ({ $least }).
