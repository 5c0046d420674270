"""The display room: a PlayerReport in, text out."""
