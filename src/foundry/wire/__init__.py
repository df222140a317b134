"""Records ↔ JSON: one Pydantic model for every document, shared by all faces and the docs."""
