passage-limit = { $limit ->
    [one] a better passage fills the limit (retrieval.max_context_chunks)
   *[other] { $limit } better passages fill the limit (retrieval.max_context_chunks)
}
passage-budget = its { $tokens } tokens do not fit: { $used } of { $budget } are taken (generation.token_budget)
passage-repeats = it repeats S{ $number } ({ $path })
passage-also-in = also in { $paths }
passage-low-score = it was scored { $score } of 10, below { $threshold } (retrieval.relevance_threshold)
passage-unlikely = its relevance { NUMBER($relevance, minimumFractionDigits: 2, maximumFractionDigits: 6) } is below { NUMBER($threshold, minimumFractionDigits: 2, maximumFractionDigits: 6) } (retrieval.min_score)
passage-other-subject = not about { $names }
passage-scored-low = scored below { $threshold } of 10 (retrieval.relevance_threshold)
passage-other-period = of another period than { $periods }
passage-empty = There are no words from { $start } on: the source has { $length } characters.
    .fix = Choose char_start below { $length } and before char_end.
passage-unknown = No source has this chunk.
    .fix = Search again: chunks change when their source does.
