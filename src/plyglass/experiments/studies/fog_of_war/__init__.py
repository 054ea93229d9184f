"""Pipan 2021: TUBSTAP with fog of war."""
