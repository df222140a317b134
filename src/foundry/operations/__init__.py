"""What Foundry does for a caller: each operation declared once, and run in one way for every face.

A module has the operations of one subject, ``table`` what they are made of.
"""
