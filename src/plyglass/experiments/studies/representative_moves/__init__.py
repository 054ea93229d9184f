"""Taucer, Polk and Oommen 2018: representative moves, and how many leaves a search then has."""
