"""The commands of ``foundry eval``, one module each."""
