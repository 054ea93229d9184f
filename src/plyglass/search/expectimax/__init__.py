"""This package searches every action and every chance outcome to a given depth."""
