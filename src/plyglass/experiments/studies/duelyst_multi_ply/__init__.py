"""McKenney 2023b: planning several plies of Duelyst."""
