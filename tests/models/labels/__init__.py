"""A casino's own labels."""
