"""Games that movelo ships, and the program that made them."""
