"""The program: command line, review, watch, score, store, bus and report. Knows how nothing is seen or judged."""

from importlib.metadata import PackageNotFoundError, version


def program_version() -> str:
    """The installed version, or 'unknown' where the program runs without being installed."""
    try:
        return version("pitwatch")
    except PackageNotFoundError:
        return "unknown"
