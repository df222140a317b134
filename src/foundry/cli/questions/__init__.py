"""The package foundry.cli.questions."""
