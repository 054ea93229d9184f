"""Plyglass."""
