evidence-hyde-skipped = HyDE is overgeslagen: { $reason }
evidence-hyde-model = retrieval.hyde_model is { $model }.
evidence-hyde-empty = het model schreef niets.
evidence-all-low = De relevantiescores lieten niets over: alle { $number } passages liggen onder de drempel.
evidence-over-budget = Geen enkele passage past in generation.token_budget.
