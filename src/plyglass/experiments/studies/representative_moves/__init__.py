"""Taucer, Polk and Oommen 2018: representative moves, and how many leaves are left to search."""
