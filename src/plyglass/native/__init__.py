"""Building native libraries: the machine code of games and kernels that comes with Plyglass.

`plyglass build` writes the libraries into this folder, with a manifest that `core.library` reads.
A wheel for a platform holds them. Without them, everything is compiled when it is first used.
"""
