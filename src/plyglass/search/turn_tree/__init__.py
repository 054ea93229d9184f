"""This package searches one turn of many actions by Monte Carlo tree search."""
