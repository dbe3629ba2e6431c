"""What all tests share."""

from __future__ import annotations

import os

from hypothesis import settings

# The same examples on every run, so that a red run means a change; HYPOTHESIS_PROFILE=search looks for new ones.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
