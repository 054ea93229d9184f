"""The cards of Duelyst as data: vocabulary, catalog, the tables that the rules read, and decks."""
