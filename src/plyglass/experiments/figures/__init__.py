"""Figures of reproductions, one kind a file. All need matplotlib, so they are imported when
something is drawn.
"""
