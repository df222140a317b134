verification-nothing = Nothing to check: { $file } contains no statements.
verification-supported = supported
verification-misattributed = misattributed
verification-partly = partly supported
verification-unclear = cannot tell
verification-unsupported = unsupported
verification-cites = cites: { $citations }
verification-why = why: { $reason }
verification-differs = source says: { $text }
verification-found-in = found in: { $place }
verification-nearest = nearest: { $place }
verification-line = line { $line }
verification-skipped = Not checked: { $reasons }.
verification-summary = { $file }: { $total ->
    [one] { $total } statement
   *[other] { $total } statements
}: { $parts }
verification-see-more = (-v lists them with their sources)
verification-coverage = Coverage { $coverage }: sufficient (validation.min_attribution is { $least }).
verification-coverage-low = Coverage { $coverage }: below validation.min_attribution ({ $least }).
