"""Corrections of a document: the reader's text and blocks with what people corrected in them.

What a reader made is never changed: the result is a document of its own, whose blocks say what is
corrected and what was there before. A correction that does not fit the document any more is left
out with a reason.
"""

from foundry.readers.corrections.overlay import correct_document
from foundry.readers.corrections.structure import count_header_rows
from foundry.readers.corrections.words import restore_words
