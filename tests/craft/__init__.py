"""Tests of the crafts through their public functions."""
