"""Tables on pages: columns, headers, rows, places, drawn cells."""
