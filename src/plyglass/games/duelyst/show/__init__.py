"""Duelyst as pictures, and cards as sentences."""
