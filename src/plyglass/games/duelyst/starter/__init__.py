"""The starter AI of the open-source game as a policy of expert rules, with all their quirks.

Every decision depends only on the position. What the original program remembers between two actions
is recomputed here.
"""
