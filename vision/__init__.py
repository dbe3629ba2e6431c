"""Frames to events: what the camera shows, in the words of the procedure. Knows no clause and no verdict."""
