"""Pure mathematics about results."""
