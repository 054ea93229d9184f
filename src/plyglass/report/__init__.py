"""Reports of tournaments: match rows in, tables, figures and pages out."""
