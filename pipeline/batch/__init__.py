"""Many players, one after the other: fetch, analyse, report, and say what became of each."""
