"""Pages that a service outside reads: what its replies say, and how that is checked here."""
