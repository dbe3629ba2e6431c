"""`python -m pitwatch`: the same as the command `pitwatch`."""

import sys

from pitwatch.cli import main

if __name__ == "__main__":
    sys.exit(main())
