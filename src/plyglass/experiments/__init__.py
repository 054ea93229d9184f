"""Studies: the tables and figures of the source documents, redone. One folder a study, found by
itself.

A folder `my_study` with a `study.toml` is the study `my-study`. The file lists its artifacts; one
that has settings (a tournament) or names a protocol (a module beside the file) is ready and can be
run, the others are still to come. What a document reported is data in that file, and so are its
claims, each with how it is tested; what was measured here is data in `recorded/`, from which tables
and figures are drawn again without playing.
"""
