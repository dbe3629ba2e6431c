"""Weights, model cards, the training and evaluation recipes."""
