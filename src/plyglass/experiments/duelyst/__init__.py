"""Document 000, chapter 2: planning one turn of Duelyst."""
