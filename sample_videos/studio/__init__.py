"""Scenes in table millimetres, rendered, with exact truth."""
