"""A document's blocks → chunks, the units of retrieval.

Guarantees, for bounds of L–M tokens and an overlap of l–m:

- A chunk is a slice of the source text, from the start of its first block (or piece of a
  block) to the end of its last. All chunks together contain every block.
- No chunk has more than M tokens. One has fewer than L only where its document, top
  section or stretch ends, or before a table or listing that is kept whole. Only a run of
  headings longer than a chunk makes one of headings alone.
- Small sections share a chunk. Between L and M tokens a chunk closes where the highest
  heading begins, else between paragraphs or speakers, else between items, cues or
  sentences; a heading goes with what follows it, "as follows:" with its list.
- A chunk that begins within a section repeats the last l–m tokens before it in that section, in
  whole sentences, rows, lines or cues; never more than m, and less than l if whole ones do not add
  up to it. A chunk that begins at a heading repeats nothing.
- Tables and listings longer than M split between rows and lines. A chunk stays a slice, but the
  ``content`` of every piece of a table repeats its title, unit and header, and the headings of its
  first row, where they fit.
- Equal closing places are chosen by a hash of the words that follow; each large top
  section starts afresh, and long stretches do so at anchors that their words alone
  determine, so that an edit changes the chunks around it and no others (content-defined
  chunking; Muthitacharoen et al., "A Low-bandwidth Network File System", SOSP 2001).

Nothing else is rewritten, no context is added (``prefix`` stays empty), no language is guessed, and a
chunk never mixes two sources.
"""

from foundry.craft.chunking.chunker import CHUNKER_VERSION, chunk_document
