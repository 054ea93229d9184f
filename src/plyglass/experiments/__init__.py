"""Studies: the tables and figures of papers, reproduced. Plyglass finds the folders by itself.

A folder `my_study` with a `study.toml` is the study `my-study`. The file lists its artifacts. An
artifact with settings (a tournament) or a protocol (code beside the file) is ready to run; others
are still to come. The file also holds the values that the paper reports, and its claims with the
tests that decide them. Measured results are recorded in `recorded/`; tables and figures can be
drawn from these without playing.
"""
