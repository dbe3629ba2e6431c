"""58 Pa. Code, chapter by chapter."""
