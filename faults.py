"""The base of every error that a user may see.

A fault says four things: what is wrong, where, why, and what to do. Each room derives its own faults from
`Fault`; the command line prints `str(fault)` and exits with `fault.exit_code`.

    Fault                     exit 2 (usage or configuration) unless a subclass says otherwise
      InputFault              exit 3 (an input could not be read, or ended early)
"""

from __future__ import annotations


class Fault(Exception):  # noqa: N818 - the faults are named for what is wrong, not for being errors
    """An error with its four parts.

    Args:
        what: what is wrong, in one clause ("unknown key 'zonez_mm'").
        where: the file, with line and key where known, or the table, camera or time.
        why: the cause or the rule that was broken ("expected one of ...").
        todo: what the reader can do next.
    """

    exit_code = 2

    def __init__(self, what: str, *, where: str, why: str, todo: str) -> None:
        self.what = what
        self.where = where
        self.why = why
        self.todo = todo
        super().__init__(f"{where}: {what}: {why}. {todo}")


class InputFault(Fault):
    """An input that could not be read, or that ended early."""

    exit_code = 3
