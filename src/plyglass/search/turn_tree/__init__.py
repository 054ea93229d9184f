"""The search of one turn of many actions: a tree of it, playing it to its end, and trying
actions without a tree.
"""
