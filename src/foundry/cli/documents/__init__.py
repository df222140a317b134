"""The package foundry.cli.documents."""
