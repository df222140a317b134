"""The pages of the web application, rendered on the server."""
