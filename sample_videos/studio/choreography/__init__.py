"""Motion and procedure: what the dealer does with hands and cards, at any time one cares to ask."""
