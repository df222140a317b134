relevance-no-score = Het model gaf er geen score voor.
relevance-notice = Relevantiescore: { $notice }
relevance-unscored = { $missing } van { $total } passages kregen geen score en houden hun plaats: { $problem }
