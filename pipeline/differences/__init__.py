"""Why the two views differ: where points were won and lost against what positions were worth."""
