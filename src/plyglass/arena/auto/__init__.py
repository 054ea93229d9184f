"""The agent `auto`: it chooses planner, belief and parameters for a game and a budget."""
