ask-stream-json = --stream and --json cannot be combined.
    .fix = Leave out one of them.
ask-check = { $verdict } ({ NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) }): { $sentence } ({ $reason })
ask-details = Model: { $model }. Times: { $times }.
ask-low-confidence = (LOW CONFIDENCE — limited source coverage)
