"""Tests of ``craft`` through its public functions."""
