"""From pixels to table millimetres: the table file, lens and homography, zones, the drift of the camera."""
