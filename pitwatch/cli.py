"""The command line: `pitwatch COMMAND ...`.

Exit codes: 0 nothing in violation; 1 at least one violation; 2 usage or configuration; 3 an input could not be read or
ended early. A fault is one clear message; with PITWATCH_TRACEBACK=1 the way to it is shown as well. An error that is no
fault is one of the program itself; it ends the work early and is never mistaken for a violation.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from importlib import import_module

from faults import Fault
from pitwatch import program_version

COMMANDS: Mapping[str, str] = {
    "review": "review recorded video",
    "watch": "watch a site's cameras, live",
    "calibrate": "make a table file from point pairs",
    "preflight": "what this camera can show, and what each clause needs",
    "check": "check site, table, points, signals and pack files",
    "clauses": "list the clauses of the packs",
    "judge": "judge recorded events again",
    "explain": "explain one finding",
    "score": "compare a review with the truth",
    "verify": "check a review's hash chain",
    "render": "render a scenario with its truth",
    "train": "train the models, or the detector on your own labels",
    "evaluate": "print the figures",
    "bench": "measure the speed",
}
ENDED_EARLY, INTERRUPTED = 3, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns the exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a sign that the terminal does not know must not end the work
            stream.reconfigure(errors="backslashreplace")
    try:
        options = build_parser(given).parse_args(given)
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except Fault as fault:
        _show_way()
        sys.stderr.write(f"pitwatch: {fault}\n")
        return fault.exit_code
    except BrokenPipeError:
        # Who reads our output stopped reading, as `head` does: nothing is wrong, and nothing more can be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        sys.stderr.write("pitwatch: stopped; what was written so far is kept\n")
        return INTERRUPTED
    except OSError as error:
        _show_way()
        sys.stderr.write(f"pitwatch: {_refused(error)}\n")
        return ENDED_EARLY
    except Exception as error:  # Python's own code for it is 1, which says that a violation was found
        _show_way()
        sys.stderr.write(f"pitwatch: {_mishap(error)}\n")
        return ENDED_EARLY


def _show_way() -> None:
    """The way to the error, on request."""
    if os.environ.get("PITWATCH_TRACEBACK") == "1":
        traceback.print_exc()


def _refused(error: OSError) -> str:
    """What the system refused, such as room on a full disk, in a fault's four parts."""
    place = error.filename if error.filename is not None else "a file"
    why = (error.strerror or str(error)).lower()
    return (
        f"{place}: cannot be read or written: {why}. What was written so far is kept; make room, or check the path "
        "and who may use it, then begin anew."
    )


def _mishap(error: Exception) -> str:
    """An error of the program itself, in a fault's four parts."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{os.path.basename(last.filename)}:{last.lineno}: the program failed and stopped: "
        f"{type(error).__name__}: {error}. What was written so far is kept; report this with what "
        "PITWATCH_TRACEBACK=1 shows."
    )


def build_parser(given: Sequence[str]) -> argparse.ArgumentParser:
    """The parser, with the arguments of the command that is given."""
    parser = argparse.ArgumentParser(
        prog="pitwatch",
        description="Watches a dealer's procedure and judges it clause by clause.",
        epilog="Exit codes: 0 nothing in violation, 1 a violation, 2 usage or configuration, 3 an input could not be "
        "read or ended early.",
    )
    parser.add_argument("--version", action="version", version=f"pitwatch {program_version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    chosen = next((word for word in given if not word.startswith("-")), None)
    for name, about in COMMANDS.items():
        sub = commands.add_parser(name, help=about)
        if name == chosen:
            module = import_module(f"pitwatch.commands.{name}")
            sub.description = module.__doc__
            module.arguments(sub)
            sub.set_defaults(run=module.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
