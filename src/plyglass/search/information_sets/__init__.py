"""Search over information sets: nodes by what a player has seen, actions legal in some worlds."""
