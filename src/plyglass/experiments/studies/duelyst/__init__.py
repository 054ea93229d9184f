"""McKenney 2023a, chapter 2: planning one turn of Duelyst."""
