"""Tests of the models and of the figures that are claimed for them."""
