"""This package holds the parts of Monte Carlo tree search that planners share."""
