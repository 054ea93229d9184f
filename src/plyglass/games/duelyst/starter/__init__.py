"""The starter AI of the open-source game: rules of experts, with all their quirks, as a policy.

Every decision is made anew by what is on the board: what the program keeps in mind between two
actions is worked out again.
"""
