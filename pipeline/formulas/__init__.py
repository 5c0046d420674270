"""Published arithmetic on evaluations and positions, each with its source. Pure functions."""
