"""The starter AI of the open-source game as a policy: expert rules, with all their quirks.

Every decision starts from the board alone. What the program remembers between two actions is
recomputed here.
"""
