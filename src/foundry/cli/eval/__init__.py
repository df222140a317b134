"""The commands of ``foundry eval``, a module each."""
