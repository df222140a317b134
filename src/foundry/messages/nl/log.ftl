log-not-saved = Dit staat niet in het vragenlogboek: { $cause }
