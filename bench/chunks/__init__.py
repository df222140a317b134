"""Experiments with what a chunk is: its size, the prefix before it, the windows within it."""
