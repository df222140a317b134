ask-stream-json = --stream en --json gaan niet samen.
    .fix = Laat een van beide weg.
ask-check = { $verdict } ({ NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) }): { $sentence } ({ $reason })
ask-details = Model: { $model }. Tijden: { $times }.
ask-low-confidence = (WEINIG ZEKERHEID — beperkte brondekking)
