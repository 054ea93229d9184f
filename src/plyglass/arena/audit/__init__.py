"""Audits: does the wall hold, how exploitable is an agent, what does a belief know?"""
