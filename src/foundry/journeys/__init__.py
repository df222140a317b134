"""The journeys: one module or package for each thing a user does with a project."""
