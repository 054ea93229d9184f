"""The search of one turn of many actions: its tree, its iterations, and playing it to its end."""
