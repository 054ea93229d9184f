"""Search: what planners share, such as budgets, trees, playouts and look-ahead."""
