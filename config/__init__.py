"""The dials, and what was fitted."""
