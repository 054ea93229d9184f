"""Reports of tournaments: tables, figures and pages made from match rows."""
