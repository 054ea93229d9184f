"""The Pandemic thesis (c. 2020): tree search for Pandemic."""
