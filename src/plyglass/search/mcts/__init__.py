"""Monte Carlo tree search: the tree, the steps of an iteration, playouts, and the decision at the root."""
