"""The calculators of `movelo elo`, for every door: what each asks for, and how it answers."""
