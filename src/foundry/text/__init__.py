"""What a text says, read without a model: its passages, quantities, names, negations, repeats.

Shared by the craft modules, which may not import each other. Nothing here
decides whether a statement is true or shown.
"""
