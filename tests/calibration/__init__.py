"""Tests of the table file, the geometry, and calibration."""
