enrich-times = { $reason } ({ $times } keer)
enrich-stopped = Er zijn geen verzoeken meer gedaan: { $reason }
enrich-failed = { $problem } { $problem-fix }
enrich-not-json = Het antwoord was niet het gevraagde JSON-object.
enrich-incomplete = Het antwoord bevatte { $number } van de { $total } gevraagde prefixen.
enrich-document-too-long = Het contextvenster is te klein voor een document van deze lengte.
enrich-empty = Het antwoord was leeg.
enrich-window = Het contextvenster van { $tokens } tokens is hiervoor te klein.
enrich-prefixes-missing = { $n ->
        [one] { $n } chunk heeft
       *[other] { $n } chunks hebben
    } geen prefix van { $model }; een eerdere of ingebouwde wordt gebruikt. { $reasons }
enrich-summaries-missing = { $n ->
        [one] { $n } bron heeft
       *[other] { $n } bronnen hebben
    } geen samenvatting van { $model }; een eerdere of ingebouwde wordt gebruikt. { $reasons }
enrich-declined = Het model is niet aangeroepen: ongeveer { $tokens } tokens{ $cost } is meer dan models.confirm_tokens of models.confirm_cost toestaat. Voer `foundry ingest --yes` uit om het toch aan te roepen.
enrich-declined-cost = {" "}en $ { NUMBER($cost, minimumFractionDigits: 2, maximumFractionDigits: 2) }
