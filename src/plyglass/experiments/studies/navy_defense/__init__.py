"""McKenney 2023a, chapter 1: Navy Defense, with start positions, and measures of the captain."""
