"""Stage 1: Lichess, a PGN file, an NDJSON file -> Game."""
