claim-and = { $first }; { $second }
claim-at = { $name }: { $reason }
claim-cites-nothing = it cites nothing
claim-unknown-citation = { $name } is not among the evidence
claim-supported-by = { $name } supports it
claim-no-support = no evidence supports it
claim-nothing-to-check = nothing to check it against
claim-judge-supports = the verifier finds it in the quoted words
claim-judge-overrules = the verifier accepts it, although { $reason }
claim-judge-rejects = the verifier does not find all of it: { $missing }
claim-judge-rejects-plainly = the verifier does not find it
claim-judge-elsewhere = the verifier quotes nothing of { $name }
claim-figure-absent = '{ $value }' occurs in no passage and does not follow from the numbers there
claim-computed = calculated: { $formulas }
claim-nearest-quote = { $name } says "{ $quote }"
claim-says-nothing = it states nothing that can be checked
claim-no-sentence = the evidence contains no sentence
claim-word-for-word = it occurs in the source word for word
claim-exact = one sentence or row says it
claim-open = no sentence or row says exactly this
claim-orphan = it refers to a sentence that was removed
claim-not-quoted = it is not in its source word for word, and the section consists of quotations
claim-beside = a source says it, but it is not about what was asked
claim-cells-doubtful = { $number ->
    [one] the row or column of “{ $value }” is doubtful
   *[other] the rows or columns of { $number } values are doubtful, including “{ $value }”
}
claim-several-rows = one row says it, but another row of that name has another value

claim-says-other = it says '{ $said }' where the source says '{ $found }'
claim-negation-added-word = it has '{ $word }', which the source lacks there
claim-negation-missing = the negation '{ $word }' of the source is missing
