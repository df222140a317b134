"""The commands of ``foundry eval``."""
