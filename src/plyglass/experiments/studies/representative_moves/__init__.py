"""Taucer, Polk and Oommen 2018: representative moves, and the leaves of a search with them."""
