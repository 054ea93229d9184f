"""Looking at everything down to a depth, with every outcome of luck."""
