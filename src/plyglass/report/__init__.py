"""Rows in, tables and figures out."""
