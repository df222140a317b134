"""The web application and the HTTP API: ``foundry serve``."""
