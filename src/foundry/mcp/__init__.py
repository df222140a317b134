"""Tools for language models over the Model Context Protocol: ``foundry mcp``, and ``/mcp`` of a server."""
