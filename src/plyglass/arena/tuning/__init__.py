"""Tuning: find good parameters of an agent by playing, then confirm them on fresh deals."""
