"""A casino's own labels: read, laid flat, split, measured with; and suggestions for labels. Needs no torch."""
