"""This package searches trees whose nodes are information sets."""
