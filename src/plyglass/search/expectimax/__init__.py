"""Exhaustive search to a depth, over every action and every outcome of chance."""
