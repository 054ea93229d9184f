"""Nets: neural networks that evaluate positions of any game, without code for each game.

`encoding` derives inputs from the record of a state and from sampled positions. `inputs` and
`value` are the kernels that compute the inputs and the value of a position. `file` reads and writes
nets. `record` puts a net into memory, where kernels find the net by its address.

Searches call a net through an address, so no search is compiled again when this package changes.
"""
