"""The story, in the order in which data flows; each stage takes records and returns records."""
