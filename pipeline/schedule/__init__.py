"""Commands that run by the clock: when they are due, and who runs them."""
