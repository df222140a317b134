relevance-no-score = The model gave no score for them.
relevance-notice = Relevance scoring: { $notice }
relevance-unscored = { $missing } of { $total } passages were not scored and keep their rank: { $problem }
