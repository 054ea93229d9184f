"""Studies reproduce the tables and figures of papers.

A folder `my_study` with a `study.toml` is the study `my-study`; Plyglass finds such folders by
itself. The file lists the artifacts of the study. An artifact can be run if it has settings (a
tournament) or a protocol (code beside the file). The file also holds the values that the paper
reports, and its claims with the tests that decide them. Measured results are recorded in
`recorded/`; tables and figures can be drawn from recorded results without playing.
"""
