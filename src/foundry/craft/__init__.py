"""The craft: pure functions on records.

Chunking, summarising, fusing, judging and grounding live here, each in a module that
knows none of its siblings. Nothing here reads a file, a database, a clock or a model;
the same input always gives the same output.
"""
