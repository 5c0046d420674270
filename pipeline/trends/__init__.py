"""Stage 5: estimates over time -> two curves with bands, and their difference."""
