spending-stopped = Niet aangeroepen: { $model } kan ${ NUMBER($estimate, maximumSignificantDigits: 2) } kosten, en van de toegestane ${ NUMBER($limit, maximumSignificantDigits: 6) } is ${ NUMBER($spent, maximumSignificantDigits: 6) } uitgegeven.
    .fix = Verhoog de grens in foundry.yaml, of kies builtin/passages als generator: die kost niets. `foundry log cost` toont wat is uitgegeven.
spending-tokens-stopped = Niet aangeroepen: { $model } kan { $estimate } tokens gebruiken, en van de toegestane { $limit } zijn er { $spent } gebruikt.
    .fix = Verhoog de grens in foundry.yaml, of kies builtin/passages als generator: die gebruikt er geen. `foundry log cost` toont wat is gebruikt.
spending-no-price = De prijs van { $model } is niet bekend, dus geen kostengrens houdt het tegen; spending.tokens_per_day wel.
