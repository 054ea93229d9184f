"""The rules of Duelyst in parts, one concept a file; `rules.py` puts them together."""
