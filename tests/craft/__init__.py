"""The craft, through its public faces."""
