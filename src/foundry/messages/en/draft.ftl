draft-feature-gone = The specification { $name } is gone.
draft-feature-broken = The specification { $problem }
draft-feature-changed = The specification { $name } changed after this draft was written.
draft-feature-unapproved = The specification { $name } is not approved.
draft-feature-revoked = The specification { $name } is no longer approved.
draft-source-removed = The source { $path } was removed from the project.
draft-source-changed = The source { $path } changed after this draft was written{ $revisions }.
draft-source-corrected = The source { $path } was corrected after this draft was written.
draft-source-changed-on-disk = The file of the source { $path } changed and has not been ingested again.
draft-revisions = {" "}(revision { $before }, now { $now })
draft-unknown = There is no draft '{ $name }', and no draft of a feature with that name.
draft-advice-known = The project has: { $paths }.
draft-advice-write = Write one: `foundry generate --feature NAME --topic TOPIC --output PATH`.
draft-accepted-already = { $by } accepted { $path } already, on { $day }.
    .fix = Read it again; nothing else needs to be done.
draft-changed-meanwhile = { $path } changed while it was being accepted; nothing was recorded.
    .fix = Review it again and repeat the command.
draft-edited = { $path } was edited by hand since it was written ({ $since }).
draft-edited-and-accepted = { $path } was edited by hand since it was written ({ $since }) and accepted by { $who }.
draft-file-missing = The draft's file is missing or cannot be read: { $path }.
    .fix = Restore the file, or generate the draft again with the same --output.
    .request = Restore the file, or write the draft again with the same output.
draft-stale = { $path } is out of date: { $reasons }
    .fix = Ingest changed sources and run `foundry generate` again. If only the approval is missing, run `foundry feature approve`.
draft-not-verified = { $path } was edited and does not verify: { $failures }
    .fix = Fix what is listed; `foundry draft verify { $path }` shows everything.
draft-unchecked = { $number ->
    [one] { $number } statement of { $path } could not be checked: { $failures }
   *[other] { $number } statements of { $path } could not be checked: { $failures }
}
    .fix = Give them the words of a source; or accept them as they are with --yes: the document then says who accepted them, and that they are not verified.
    .request = Use the words of a source, or list them as unchecked; the document then says that they are unverified and who accepted them.
draft-unchecked-list = { $number ->
    [one] Foundry cannot tell whether the sources support this statement:
   *[other] Foundry cannot tell whether the sources support these statements:
}
draft-unchecked-by = Accepted by { $by }, not verified: “{ $statement }”
draft-accept-unchecked = { $number ->
    [one] Accept it? The document will say that you did, and that it is not verified.
   *[other] Accept them? The document will say that you did, and that they are not verified.
}
draft-more-failures = And { $number } more.
draft-on-line = line { $line }: { $problem }
draft-fault = { $verdict }: { $sentence }
draft-no-statement = It makes no statement.
draft-not-utf8 = It is not UTF-8 text.
    .fix = Save it as UTF-8, or generate the draft again.
draft-uncited = A statement has no footnote: “{ $sentence }”.
    .fix = Add a footnote to it; { $sources } supports it.
draft-unknown-source = Footnote { $mark } names no source of this project.
    .fix = Name the source as `foundry sources list` shows it.
draft-quote-elsewhere = Footnote { $mark } quotes what { $path } does not say; the words are in { $other }: “{ $quote }”.
    .fix = Name { $other } in the footnote.
draft-quote-nowhere = Footnote { $mark } quotes what { $path } does not say; no source has these words: “{ $quote }”.
    .fix = Restore the source's words, or remove the quote and its statement.
draft-skipped-no-evidence = says that evidence is missing
draft-skipped-low-confidence = flags a section of low confidence
draft-skipped-quoted = says that nothing was written
draft-skipped-contradiction = reports a contradiction between sources
draft-none = No drafts yet. Write one with `foundry generate`.
draft-none-of = No drafts of { $feature } yet. Write one with `foundry generate`.
draft-out-of-date = Out of date: { $reason }
draft-out-of-date-at = Out of date: { $path }: { $reason }
draft-state-as-written = as written
draft-state-edited = edited
draft-state-missing = missing
draft-by-on = { $day } by { $by }
draft-by-on-edited = { $day } by { $by }, edited since
draft-topic = Topic
draft-feature = Feature
draft-no-feature = none
draft-written = Written
draft-written-by = { $time } by { $model } ({ $mode })
draft-file = File
draft-verdict = Verdict
draft-verdict-coverage = { $verdict }; coverage { $coverage }; completeness { $completeness }
draft-verdict-answer = answer
draft-verdict-low-confidence = low confidence
draft-verdict-passages = quotations
draft-verdict-no-evidence = no evidence
draft-accepted = Accepted
draft-not-yet = not yet
draft-note = Note
draft-sections = Sections:
draft-sources = Sources:
draft-section = { $title }: { $sentences ->
    [one] { $sentences } sentence
   *[other] { $sentences } sentences
}, coverage { $coverage }
draft-section-empty = { $title } is empty: { $reason }
draft-gap = { $section } does not cover: { $items }
draft-gap-in-sources = { $section } does not cover, and the sources do not mention: { $items }
draft-conflict = conflict: { $first } / { $second }
draft-headings = Sections:
draft-footnotes = Footnotes:
draft-quotes = Quotes:
draft-next = Next: { $fix }
draft-passes = { $path } ({ $state }) passes.
draft-passes-but-stale = { $path } ({ $state }) passes, but is out of date and cannot be accepted.
draft-fails = { $path } ({ $state }) does not pass: { $number ->
    [one] { $number } problem
   *[other] { $number } problems
}.
draft-was-accepted = { $path }: accepted { $who }.
draft-quote-kept = kept
draft-quote-changed = changed
draft-quote-lost = gone
draft-impact = Of the quotations of { $path }: { $changed } changed, { $lost } gone, { $kept } unchanged.
draft-impact-unread = Not checked because the file cannot be read: { $paths }. Restore it, or generate the draft again.
draft-hash-missing = A change to { $path } needs the hash of the version that you read.
    .fix = Send the hash from its content as If-Match.
draft-edited-meanwhile = Someone else changed the same lines of { $path }; your text was not saved.
    .fix = Compare both texts, then save your change again on the newer one.
draft-note-nowhere = { $path } does not contain that sentence.
    .fix = Give a sentence exactly as in the draft's content.
draft-note-empty = The remark on { $path } is empty.
    .fix = Write some text.
draft-note-unknown = This draft has no remark { $id }.
    .fix = Reload the remarks; someone may have removed it.
draft-note-of-another = This remark belongs to { $by }.
    .fix = Ask { $by } or the owner to remove it.
draft-no-other-run = { $path } has no other text to compare with.
    .fix = Give another draft, or the hash of an earlier text.
draft-note-by = { $time }, { $by } ({ $state ->
    [open] open
   *[other] resolved by { $resolved }
}):
draft-note-moved = The sentence now reads: { $sentence }
draft-note-lost = The sentence no longer exists.
draft-no-notes = { $path } has no remarks.
draft-differs = { $new } compared with { $old }: { $same } unchanged, { $changed } changed, { $removed } removed, { $added } added
draft-changed-since-read = { $path } changed after you read it; nothing was recorded.
    .fix = Read it again, then accept it.
