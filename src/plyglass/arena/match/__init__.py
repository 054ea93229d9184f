"""One match: agents and other players, the runner that owns the truth, records."""
