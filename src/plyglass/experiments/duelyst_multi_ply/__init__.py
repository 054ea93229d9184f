"""Document 001: planning several plies of Duelyst."""
