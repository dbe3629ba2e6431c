"""The shoe change, 58 Pa. Code 629a.5(a)-(e): from sightings to events, one small state machine for each subject."""
