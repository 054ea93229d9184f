"""A tournament: what is played, by whom, and what came of it."""
