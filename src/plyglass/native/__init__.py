"""Building native libraries: the machine code of games and kernels that comes with Plyglass.

`plyglass build` writes the libraries into this folder, with a manifest that `core.library` reads. A
platform wheel contains these libraries. Without the libraries, everything is compiled when it is
first used.
"""
