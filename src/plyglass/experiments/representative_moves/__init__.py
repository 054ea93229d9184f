"""Representative moves: how many leaves a search has in every reading of what the document
leaves open.
"""
