"""One match: agents and other players, the match that owns the truth, and its record."""
