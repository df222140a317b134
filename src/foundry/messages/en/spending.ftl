spending-stopped = Not called: { $model } may cost ${ NUMBER($estimate, maximumSignificantDigits: 2) }, of ${ NUMBER($limit, maximumSignificantDigits: 6) } allowed ${ NUMBER($spent, maximumSignificantDigits: 6) } is spent.
    .fix = Raise the limit in foundry.yaml, or set the generator to builtin/extractive, which costs nothing. `foundry log cost` shows what was spent.
spending-tokens-stopped = Not called: { $model } may take { $estimate } tokens, of { $limit } allowed { $spent } are used.
    .fix = Raise the limit in foundry.yaml, or set the generator to builtin/extractive, which needs none. `foundry log cost` shows what was used.
spending-no-price = The price of { $model } is not known, so no limit of cost stops it; spending.tokens_per_day can.
