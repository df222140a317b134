"""The verifier, the detector of contradictions and the marks, over lines that say what is right."""
