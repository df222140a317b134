"""The project's tables in any SQL database: the verbs, over the named statements of a dialect."""
