"""Scenes drawn as pictures, films and pages, without knowledge of any game."""
