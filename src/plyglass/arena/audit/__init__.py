"""Audits: does an agent cheat, how exploitable is it, and how good is a belief?"""
