"""The exit statuses that a command can return; errors have their own in ``failures``."""

DONE = 0
FAILED = 1
NO_EVIDENCE = 3
