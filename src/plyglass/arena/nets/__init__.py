"""Learning nets: games in shards, a fit, a gate by play, and the loop that repeats them."""
