"""One match: agents and other players, the match with the true world, and its record."""
