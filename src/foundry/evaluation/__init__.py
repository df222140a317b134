"""How good retrieval and the gate are, measured on labelled questions through the real journeys."""
