"""Audits: whether an agent cheats, how exploitable it is, and how good a belief is."""
