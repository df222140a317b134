passage-limit = { $limit ->
    [one] een betere passage vult de limiet al (retrieval.max_context_chunks)
   *[other] { $limit } betere passages vullen de limiet al (retrieval.max_context_chunks)
}
passage-budget = { $tokens } tokens passen er niet bij: { $used } van { $budget } zijn in gebruik (generation.token_budget)
passage-repeats = herhaalt S{ $number } ({ $path })
passage-also-in = ook in { $paths }
passage-low-score = hij kreeg { $score } van 10, minder dan { $threshold } (retrieval.relevance_threshold)
passage-unlikely = zijn relevantie { NUMBER($relevance, minimumFractionDigits: 2, maximumFractionDigits: 6) } is lager dan { NUMBER($threshold, minimumFractionDigits: 2, maximumFractionDigits: 6) } (retrieval.min_score)
passage-other-subject = niet over { $names }
passage-scored-low = score onder { $threshold } van 10 (retrieval.relevance_threshold)
passage-other-period = over een andere periode dan { $periods }
passage-empty = Vanaf { $start } staat er niets: de bron heeft { $length } tekens.
    .fix = Kies char_start onder { $length } en vóór char_end.
passage-unknown = Geen bron heeft deze chunk.
    .fix = Zoek opnieuw: chunks veranderen als hun bron verandert.
