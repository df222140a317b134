"""The JSON API under ``/api/v2``, one module for each subject."""
