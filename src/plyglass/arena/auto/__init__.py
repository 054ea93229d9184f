"""The agent `auto`, which chooses planner, belief and parameters for a game and a budget."""
