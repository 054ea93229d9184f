"""How a value travels from the end of an iteration back to the root."""

from plyglass.core.compile import kernel


@kernel
def back_up(nodes, work, trail, length):
    """Add what the iteration was worth to every node on its trail."""
    if work.discount == 1.0:
        back_up_mean(nodes, work, trail, length)
    else:
        back_up_discounted(nodes, work, trail, length)


@kernel
def back_up_mean(nodes, work, trail, length):
    """Add each player's value to the nodes on the trail that are his: the mean over iterations."""
    for i in range(length):
        node = nodes[trail[i].node]
        node.visits += 1
        node.total += work.values[node.player]


@kernel
def back_up_discounted(nodes, work, trail, length):
    """As `back_up_mean`, with what was earned on the way added and what comes later discounted."""
    for i in range(length - 1, -1, -1):
        for player in range(work.players):
            work.values[player] = trail[i].reward[player] + trail[i].factor * work.values[player]
        node = nodes[trail[i].node]
        node.visits += 1
        node.total += (work.values[node.player] - work.low) / work.span
