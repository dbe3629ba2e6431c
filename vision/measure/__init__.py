"""Frames to numbers with their doubt: depths, lengths and counts of cards, each with a 95 % interval."""
