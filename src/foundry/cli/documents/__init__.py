"""The commands that write, check and deliver documents."""
