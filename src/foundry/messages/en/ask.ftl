ask-stream-json = --stream and --json cannot be combined.
    .fix = Leave out one of them.
ask-check = { $verdict } ({ NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) }): { $sentence } ({ $reason })
ask-details = Model: { $model }. Times: { $times }.
ask-low-confidence = (LOW CONFIDENCE — limited source coverage)
ask-stopped = Stopped before the answer was complete.
ask-model-refused = The model found no answer in the evidence.
ask-model-failed = The model wrote no sentence that these sources support, so the passages are shown instead. That is a failure of the model, not of the sources.
ask-unanswered = Nothing that the model wrote answers “{ $part }” from the passages, so the passages are shown instead.
ask-not-shown = Not in these passages: { $items }.
ask-nothing-to-show = The passages found have no text to show.
ask-low-coverage = Only { NUMBER($share, style: "percent", maximumFractionDigits: 0) } of the text is supported, below { NUMBER($least, style: "percent", maximumFractionDigits: 0) }.
ask-generator-replaced = { $old } is now { $new }: it shows the passages that come closest and writes no answer. Change the name in foundry.yaml.
ask-judged = { $number ->
    [one] The verifier found the sentence in its sources, and it answers the question.
   *[other] The verifier found all { $number } sentences in their sources, and they answer the question.
}
ask-beside = What the sources do say is about something else: “{ $sentence }” ({ $names })
