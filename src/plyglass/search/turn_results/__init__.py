"""Looking ahead by whole turns: all that a turn can come to, each result once, the most
promising first.
"""
