document-day = { DATETIME($date, dateStyle: "long") }
document-contents = Contents
document-skip = Skip to the text
document-made-with = Made with
document-date = Date
document-project = Project
document-chapter = Chapter
document-owner = Owner
document-approved = Specification approved
document-accepted = Text accepted
document-by-on = { $by }, { $date }
document-page-of = Page { $page } of { $pages }
document-stale = Out of date
document-stale-why = This document was built although the following changed after the text was written:
document-stale-chapter = This chapter may be out of date:
document-notes = Notes
document-back = Back to the text
document-sources = Source register
document-sources-why = Every source that the text cites, as it was when the text was written. The SHA-256 identifies the exact file.
document-path = File
document-title = Title
document-revision = Revision
document-coverage = Coverage and conflicts
document-coverage-why = “As written” is the share of sentences that had a verified source before anything was removed; “as shown” is the same share of the sentences in this document.
document-section = Section
document-sentences = Sentences
document-supported = As written
document-shown = As shown
document-remark = Remark
document-conflicts = Conflicts between sources
document-no-conflicts = No conflicts between sources were found.
document-holds = Followed: { $value }. Decided by { $rule }.
document-undecided = No rule decides between the two.
document-superseded = { $value } applies: it is in the later revision ({ $rule }).
document-approvals = Approval and acceptance
document-approvals-why = Who approved each specification, and who accepted the text that was written.
document-unverified = Accepted by the reviewer and not verified
document-unverified-mark = accepted by { $by }, not verified
document-topic = Topic
document-specification = Specification
document-agent = Agent
document-hashed = { $path }, SHA-256 { $hash }
document-written = Text written
document-needs = To fill this section, add: { $needs }.
document-quoted = Nothing here was written: every line is quoted, word for word, from the source named above it.
document-missing = Asked, and not found in these words: { $items }.
document-not-found = Asked, and not found in the sources: { $items }.
document-left-out = Left out here, because no source { $form ->
    [quote] has it word for word
   *[other] was found that carries it
}: { $form ->
    [steps] { $number ->
        [one] one step
       *[other] { $number } steps
    }
    [table] { $number ->
        [one] one row
       *[other] { $number } rows
    }
   *[other] { $number ->
        [one] one item
       *[other] { $number } items
    }
}.
document-note = Remark of the reviewer
document-contradiction = Sources contradict each other.
document-replaced = Superseded.
document-says = says
document-follows = { $new } holds over { $old } ({ $rule }):
document-not = { $new }, not { $old }
document-first-holds = The first holds ({ $rule }).
document-second-holds = The second holds ({ $rule }).
document-check-hierarchy = Check the source hierarchy in your feature spec.
document-low-confidence = LOW CONFIDENCE — limited source coverage.
