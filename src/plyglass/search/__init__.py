"""Parts that planners share: budgets, trees, selection, backup, playouts."""
