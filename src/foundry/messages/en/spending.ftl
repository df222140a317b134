spending-stopped = Not called: { $model } may cost ${ NUMBER($estimate, maximumSignificantDigits: 2) }, and ${ NUMBER($spent, maximumSignificantDigits: 6) } of the ${ NUMBER($limit, maximumSignificantDigits: 6) } allowed is spent.
    .fix = Raise the limit in foundry.yaml, or set the generator to builtin/passages, which costs nothing. `foundry log cost` shows what was spent.
spending-tokens-stopped = Not called: { $model } may take { $estimate } tokens, and { $spent } of the { $limit } allowed are used.
    .fix = Raise the limit in foundry.yaml, or set the generator to builtin/passages, which needs none. `foundry log cost` shows what was used.
spending-no-price = The price of { $model } is not known, so no cost limit stops it; spending.tokens_per_day can.
