"""Who calls, and what every request must pass before a route sees it."""
