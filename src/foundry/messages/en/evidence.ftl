evidence-hyde-skipped = HyDE was skipped: { $reason }
evidence-hyde-model = retrieval.hyde_model is { $model }.
evidence-hyde-empty = the model wrote nothing.
evidence-all-low = Relevance scoring left nothing: all { $number } passages are below the threshold.
evidence-over-budget = No passage fits generation.token_budget.
