"""Writes the binary files of the example project from the readable files in ``content``."""
