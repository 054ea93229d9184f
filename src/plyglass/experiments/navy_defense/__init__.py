"""Navy Defense: worlds to begin with and measures of what a captain does, beside the study's
file.
"""
