"""In place of a package that builds grammars for more than a second when ``jsonschema`` is imported.

A tool of the ``dev`` extra brings it. ``jsonschema`` does without: it checks no addresses in IRIs,
which nothing here asks of it.
"""

raise ImportError
