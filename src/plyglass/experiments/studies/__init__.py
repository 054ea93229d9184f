"""The studies of Plyglass: a folder per paper, with its settings and recorded results."""
