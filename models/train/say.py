"""Progress in plain lines."""

from __future__ import annotations

import sys
import time


def say(text: str) -> None:
    """Writes one line with the time of day, at once."""
    sys.stdout.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stdout.flush()
