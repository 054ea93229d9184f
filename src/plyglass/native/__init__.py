"""This package builds native libraries: the machine code of games and kernels in Plyglass.

`plyglass build` writes the libraries into this folder, with a manifest that `core.library` reads. A
platform wheel contains these libraries. Without the libraries, Numba compiles each game and each
kernel when it is first used.
"""
