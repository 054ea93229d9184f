"""Scenes as pictures, films and pages. Nothing here knows any game."""
