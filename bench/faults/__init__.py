"""Attacks on a running Foundry: what is done to it, how it ends, in what time and memory."""
