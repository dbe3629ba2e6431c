"""Committed and fetched material of the studio: baked hands and letters, and what brings further decks."""
