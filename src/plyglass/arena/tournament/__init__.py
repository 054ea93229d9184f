"""A tournament: its settings, its schedule, its driver and its results."""
