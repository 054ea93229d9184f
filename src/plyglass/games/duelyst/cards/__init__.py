"""The cards of Duelyst as data: vocabulary, catalog, tables for the rules, and decks."""
