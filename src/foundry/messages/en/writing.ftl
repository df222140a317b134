writing-language = { $code ->
    [nl] Dutch
    [en] English
    [de] German
    [fr] French
    [es] Spanish
    [it] Italian
    [pt] Portuguese
   *[other] { $code }
}
writing-quoted = it is the source's own words
writing-computed = Calculated from the sources: { $formulas }.
writing-removed = { $number ->
    [one] A sentence was removed: no source supports it.
   *[other] { $number } sentences were removed: no source supports them.
}
writing-beside = { $number ->
    [one] A sentence was left out: a source says it, but it is about something else.
   *[other] { $number } sentences were left out: sources say them, but they are about something else.
}
writing-other-language = The model wrote in { $written } instead of { $wanted }.
writing-passages-left-out = { $number ->
    [one] A passage of { $paths } was left out: { $reason }.
   *[other] { $number } passages of { $paths } were left out: { $reason }.
}
writing-unverified = { $number ->
    [one] One sentence is not verified: no source says it exactly, and no model has judged it.
   *[other] { $number } sentences are not verified: no source says them exactly, and no model has judged them.
}
writing-disputed = The verifier accepts “{ $sentence }”, although { $reason }.
writing-part-missing = The model says: “{ $said }”
writing-unanswered = Not answered: { $part }.
writing-judge-failed = The verifier failed: { $cause }
writing-judge-accepts-control = The verifier { $model } also accepted a statement that was put there to test it and that its passage contradicts (“{ $control }”): so what it accepted there does not count. `foundry models --check` shows whether it is fit to judge.
writing-judge-unclear = The verifier { $model } gave no usable verdict on { $number ->
    [one] a sentence
   *[other] { $number } sentences
}; the verdict of the rules stays.
writing-window-too-small = The prompt takes { $total } tokens even with one passage (brief { $brief }, feature spec { $spec }, summaries { $summaries }), and { $model } has room for { $room }.
    .fix = Shorten the brief or the feature spec, lower generation.max_tokens or max_source_summaries, or choose a larger model.
writing-brief-cut = The brief has { $tokens } tokens and was cut to { $limit }.
writing-retry-failed = Asking the model again failed: { $cause }
writing-retried = The model was asked again { $times ->
    [one] once
   *[other] { $times } times
} for sentences that no evidence supports.
writing-surplus = The model wrote { $number } sentences; those after the first { $limit } were left out.
writing-overlong = { $number ->
    [one] A sentence
   *[other] { $number } sentences
} of more than { $limit } characters { $number ->
    [one] was
   *[other] were
} left out, such as "{ $example }…".
writing-window-full = { $number ->
    [one] A passage of { $paths } was left out: the model's window is full.
   *[other] { $number } passages of { $paths } were left out: the model's window is full.
}
