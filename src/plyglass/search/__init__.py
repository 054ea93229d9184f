"""This package holds what planners share, such as budgets, trees, playouts and look-ahead."""
