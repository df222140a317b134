"""The JSON API under ``/api/v1``, one module for each subject."""
