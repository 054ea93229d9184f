"""Evaluators of Duelyst: written by hand, and learned."""
