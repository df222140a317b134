"""Measurements: where the README's figures come from. Nothing here is part of the product."""
