"""`plyglass serve`: agents behind an HTTP API.

The front (`app`) is one asyncio process that does not search. It checks permissions (`access`),
queues jobs (`desk`) and gives them to worker processes (`crew`). A worker (`work`) makes decisions
for callers who run a match themselves (`decisions`). For these decisions, the worker uses rules
with checked bounds. A worker also plays hosted matches (`matches`). Clients carry these matches as
sealed tickets (`tickets`), or the server keeps them in a database (`store`).
"""
