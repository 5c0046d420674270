"""The machine room: whatever burns CPU."""
