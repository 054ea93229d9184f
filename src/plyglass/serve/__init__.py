"""`plyglass serve`: agents behind an HTTP API.

The front (`app`) is one asyncio process that searches nothing. It checks permissions (`access`),
queues the work (`desk`) and hands it to worker processes (`crew`). A worker (`work`) runs rules
with checked bounds. It decides for callers who own their game (`decisions`), and plays hosted
matches (`matches`), which travel as sealed tickets (`tickets`) or stay in a database (`store`).
"""
