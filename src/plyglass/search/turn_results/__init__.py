"""All results of a turn, each once: what planners of whole turns share."""
