"""Tests of the recognisers of the shoe change."""
