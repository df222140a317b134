# Revisions of one document, and what people say of them.

revision-linked = linked by { $author } on { $day }
revision-link-saved = { $newer } revises { $older }.
revision-unlink-saved = { $newer } and { $older } are not revisions of one document.
revision-same = { $path } cannot revise itself.
    .fix = Name two sources.
revision-circle = Someone has already linked { $older } as a revision of { $newer }.
    .fix = Run `foundry sources unlink` for that link first.
revision-has-newer = { $path } already has a later revision: { $other }.
    .fix = Link to that one, or unlink the two first: `foundry sources unlink { $other } { $path }`.
revision-has-older = { $path } already revises { $other }.
    .fix = Link the oldest revision of that chain, or unlink the two first: `foundry sources unlink { $path } { $other }`.
revision-objection = The printed marks or paths of { $newer } and { $older } show that { $older } is later, or contradict each other; the link was saved anyway.
revision-doubt = { $newer } and { $older } look like revisions of one document, but their marks, versions and dates contradict each other, so both are searched. Set the order with `foundry sources link NEW OLD`.
