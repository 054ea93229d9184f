"""The study of the fog of war, document 003."""
