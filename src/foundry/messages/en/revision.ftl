# Revisions of one document, and what people say of them.

revision-linked = linked by { $author } on { $day }
revision-link-saved = { $newer } revises { $older }.
revision-unlink-saved = { $newer } and { $older } are not revisions of one document.
revision-same = { $path } cannot revise itself.
    .fix = Name two sources.
revision-circle = { $older } revises { $newer } already, by what a person linked.
    .fix = Run `foundry sources unlink` for that link first.
revision-has-newer = { $path } has a later revision already: { $other }.
    .fix = Link to that one, or unlink the two first: `foundry sources unlink { $other } { $path }`.
revision-has-older = { $path } revises { $other } already.
    .fix = Link the oldest revision of that chain, or unlink the two first: `foundry sources unlink { $path } { $other }`.
revision-objection = What is printed in { $newer } and { $older }, or in their paths, says that { $older } is the later one or contradicts itself; the link holds.
revision-doubt = { $newer } and { $older } look like revisions of one document, but their marks, versions and dates contradict each other, so both are searched; `foundry sources link NEW OLD` decides.
