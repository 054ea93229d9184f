"""Statistics of results: intervals, tests and ratings, as pure functions."""
