"""Nets: learned evaluators that read any game's state, without code of the game.

`encoding` derives inputs from the record of a state and from sampled positions. `inputs` and
`value` are the kernels that compute the inputs and the value of a position. `file` reads and writes
nets, and `record` puts a net into memory, where kernels find it by its address.

Searches call a net through an address, so no search is compiled again when this package changes.
"""
