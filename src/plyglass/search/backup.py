"""How a value travels from the end of an iteration back to the root."""

from plyglass.core.compile import kernel


@kernel
def back_up_mean(nodes, path, length, values):
    """Add each player's value to the nodes on the path that are his; a mean over iterations."""
    for i in range(length):
        node = path[i]
        nodes[node].visits += 1
        nodes[node].total += values[nodes[node].player]
