answer-head = Answer:
answer-head-low-confidence = Answer (LOW CONFIDENCE — limited source coverage):
answer-head-passages = Passages that come closest:
answer-passage-same = The same in: { $sources }
answer-no-evidence = No supporting documentation found in indexed sources.
answer-add-about-that = Add a document about that to the sources, then run `foundry ingest`.
answer-add-an-answer = Add a document with the answer to the sources, then run `foundry ingest`.

answer-sources = Sources:
answer-source = { $place } (score: { NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) })
answer-source-noted = { $source } – { $notices }
answer-corrected-words = corrected: “{ $after }”, read as “{ $before }”
answer-corrected-heading = corrected: which words are a heading
answer-corrected-text = corrected: which words are no heading
answer-corrected-dropped = corrected: without “{ $before }”
answer-corrected-table = corrected: { $kind ->
        [header] header rows
        [columns] header columns
        [span] merged cells
        [split] end of the table
       *[merge] joined tables
    }
answer-ocr-unsure = read by OCR with a confidence of { NUMBER($confidence, style: "percent") }
answer-ocr-doubt = OCR read “{ $read }” or “{ $other }”
answer-outside = read by { $reader }
answer-outside-unchecked = the words could not be checked
answer-outside-unsure = OCR confirms { NUMBER($share, style: "percent") } of these words
answer-outside-doubt = the service read “{ $read }”, OCR read “{ $other }”
answer-outside-alone = OCR did not read “{ $read }”
answer-why-low-confidence = Why low confidence: { $reasons }
answer-passages = Passages that come closest
answer-passages-what = Not an answer, but what the sources say. The line nearest to the question is marked.
answer-asked = Answered on { $time } for the role { $role }, from all its sources.
answer-asked-filtered = Answered on { $time } for the role { $role }, only from sources with: { $filters }.
answer-source-changed = Changed since this answer: { $sources }.
answer-source-gone = No longer in the project: { $sources }.
answer-not-verified = not verified
answer-changes = Changed by verification:
answer-change-reattributed = citation corrected
answer-change-recited = citation dropped
answer-change-regenerated = rewritten
answer-change-removed = removed

answer-hit = { $place } (score: { NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) }; { $ranks })
answer-hit-unrated = { $place } (score: –, no vector yet; { $ranks })
answer-no-hits = No hits.
answer-gate = Gate: { $decision } (score: { NUMBER($score, minimumFractionDigits: 2, maximumFractionDigits: 2) }, min_score: { NUMBER($threshold, minimumFractionDigits: 2, maximumFractionDigits: 2) })
answer-hyde = HyDE searched with: { $text }
answer-would-read = { $number ->
    [one] One passage would be read:
   *[other] { $number } passages would be read:
}
answer-hit-rank = { $rank ->
    [0] found by HyDE
   *[other] hit { $rank }
}
