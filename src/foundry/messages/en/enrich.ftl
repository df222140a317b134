enrich-times = { $reason } ({ $times } times)
enrich-stopped = No further requests were made: { $reason }
enrich-failed = { $problem } { $problem-fix }
enrich-not-json = Its reply was not the JSON object it was asked for.
enrich-incomplete = Its reply had { $number } of the { $total } prefixes asked for.
enrich-document-too-long = Its window is too small for a document of this length.
enrich-empty = Its reply was empty.
enrich-window = Its context window of { $tokens } tokens is too small for this.
enrich-prefixes-missing = { $n ->
        [one] { $n } chunk has
       *[other] { $n } chunks have
    } no prefix by { $model }; an earlier or built-in one is used. { $reasons }
enrich-summaries-missing = { $n ->
        [one] { $n } source has
       *[other] { $n } sources have
    } no summary by { $model }; an earlier or built-in one is used. { $reasons }
enrich-declined = The model was not asked: about { $tokens } tokens{ $cost } exceed models.confirm_tokens or models.confirm_cost. Run `foundry ingest --yes` to ask it.
enrich-declined-cost = {" "}and ${ NUMBER($cost, minimumFractionDigits: 2, maximumFractionDigits: 2) }
