"""Hidden cards of Duelyst: views, worlds consistent with them, and tracks of the enemy's cards."""
