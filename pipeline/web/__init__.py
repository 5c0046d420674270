"""The door for browsers: pages, progress as it happens, a JSON API."""
