"""Trees of information sets, and searches that begin a new one with every decision."""
