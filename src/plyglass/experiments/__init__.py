"""Studies reproduce the tables and figures of papers.

A folder `my_study` with a file `study.toml` is the study `my-study`. Plyglass finds such folders by
itself. The file lists the artifacts (tables and figures) of the study. An artifact can be run if it
has settings (a tournament) or a protocol (code beside the file). The file also contains the values
that the paper reports, and the paper's claims with the tests that decide them. Measured results are
recorded in `recorded/`. Tables and figures can be drawn from recorded results without playing.
"""
