"""Stage 2: results -> ResultEstimate, one file per rating system."""
