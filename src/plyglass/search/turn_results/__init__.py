"""This package finds all results of a turn, for planners that plan whole turns."""
