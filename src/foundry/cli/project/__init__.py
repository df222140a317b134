"""The package foundry.cli.project."""
