"""The example project, what it is made from, and its demo."""
