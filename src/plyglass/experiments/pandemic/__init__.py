"""The study of Pandemic, document 004."""
