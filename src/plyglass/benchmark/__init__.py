"""A benchmark of planners: a frozen suite, its results as data, and the tables made from them."""
