"""Grounding: what the rules say of a sentence, and by which exact words of a source.

No model decides here. One sentence or one row must say a statement as a whole: then it is exact.
One that says the same with another value, name or polarity contradicts it. Everything else is left
open, for a judge or a reader.
"""

from foundry.craft.grounding.verification import Finding, find_quote, verify_statement
