"""Monte Carlo tree search: tree, workspace, steps of an iteration, playouts, root decision."""
