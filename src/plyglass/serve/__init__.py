"""`plyglass serve`: agents behind an HTTP API.

The front (`app`) is one asyncio process that does not search. It checks permissions (`access`),
queues jobs (`desk`) and gives them to worker processes (`crew`). A worker (`work`) decides for
callers who run their own game (`decisions`), with rules whose bounds are checked. It also plays
hosted matches (`matches`). Clients carry these matches as sealed tickets (`tickets`), or the server
keeps them in a database (`store`).
"""
