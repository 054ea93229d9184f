"""The starter AI of the open-source game, as a policy of expert rules with all their quirks.

Every decision depends only on the position. The original program remembers its plans between two
actions; this policy computes them again.
"""
