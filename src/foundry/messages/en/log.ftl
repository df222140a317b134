log-not-saved = This is not in the query log: { $cause }
