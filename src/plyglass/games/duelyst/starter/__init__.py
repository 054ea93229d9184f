"""The starter AI of the open-source game as a policy of expert rules, with all their quirks.

Every decision depends only on the position. This AI recomputes what the original program remembers
between two actions.
"""
