"""The site file: which tables are watched, where their alerts go, where everything is kept (TOML or JSON).

    [site]
    name = "floor 2"
    out = "store"                       # the store's folder
    models = "models"                   # optional: other models than the installed ones

    [bus]                               # optional, with everything in it
    pub = "tcp://127.0.0.1:5556"
    router = "tcp://127.0.0.1:5557"
    curve_secret = "keys/pitwatch.key_secret"   # required on an address that is not loopback
    curve_clients = "keys/clients"              # only these public keys may connect

    [[tables]]
    file = "midi-3.toml"
    source = "rtsp://..."               # optional: in place of the table file's camera.source
    signals = "midi-3.signals.jsonl"    # optional
    stall_s = 4.0                       # optional: without a picture for so long, the camera is told to be stalled

Paths are relative to the site file. All faults of the file, and of the table files that it names, are found at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from calibration.schema import Document, FileFault, Node, read_document
from calibration.tablefile import Table, TableFileFault, load_table
from pitwatch.bus import BusPlaces, is_loopback

STALL_S = 4.0


class SiteFileFault(FileFault):
    """A site file that cannot be read or is wrong, or a table file that it names."""

    kind = "site file"


@dataclass(frozen=True, slots=True)
class SiteTable:
    """One table of the site. `source` is what is opened: a path, or an address with its scheme."""

    path: Path
    table: Table
    source: str
    signals: Path | None = None
    stall_s: float = STALL_S


@dataclass(frozen=True, slots=True)
class Site:
    """A whole site."""

    path: Path
    name: str
    out: Path
    bus: BusPlaces
    tables: tuple[SiteTable, ...]
    models: Path | None = None


def load_site(path: Path | str) -> Site:
    """The site of a TOML or JSON file, with its tables.

    Raises:
        SiteFileFault: the file, or a table file that it names, cannot be read or is wrong; it holds every problem.
    """
    path = Path(path)
    reader = _Reader(read_document(path, SiteFileFault), path)
    site = reader.site()
    if site is None or reader.document.problems:
        _refuse(reader.document)
    return site


def _refuse(document: Document) -> NoReturn:
    raise SiteFileFault(document.problems)


class _Reader:
    """Reads one site file; notes problems and goes on."""

    def __init__(self, document: Document, path: Path) -> None:
        self.document, self._path, self._folder = document, path, path.parent

    def site(self) -> Site | None:
        root = self.document.root
        if not root.is_table(("site", "tables"), ("bus",)):
            return None
        head = root.get("site")
        name = out = models = None
        if head is not None and head.is_table(("out",), ("name", "models")):
            name = _text(head.get("name"))
            out = self._place(head.get("out"))
            models = self._existing(head.get("models"), folder=True)
        bus = self._bus(root.get("bus"))
        tables = self._tables(root.get("tables"))
        if out is None:
            return None
        return Site(self._path, name or self._path.stem, out, bus, tables, models)

    # -- the bus --------------------------------------------------------------------------------------------------

    def _bus(self, node: Node | None) -> BusPlaces:
        usual = BusPlaces()
        if node is None or not node.is_table((), ("pub", "router", "curve_secret", "curve_clients")):
            return usual
        secret, clients = node.get("curve_secret"), node.get("curve_clients")
        for name in ("pub", "router"):
            self._check_address(node.get(name), keyed=secret is not None)
        if clients is not None and secret is None:
            clients.bad("curve_secret beside it, without which no key is asked for")
        pub, router = _text(node.get("pub")) or usual.alerts, _text(node.get("router")) or usual.replay
        if pub == router and not pub.endswith((":*", ":0")):
            self.document.problem((*node.path, "router"), repr(router), "another address than pub's")
        return BusPlaces(pub, router, self._existing(secret), self._existing(clients, folder=True))

    def _check_address(self, node: Node | None, *, keyed: bool) -> None:
        address = node.raw if node is not None else None
        if node is None or not isinstance(address, str):
            return
        scheme, mark, rest = address.partition("://")
        if scheme not in ("tcp", "ipc") or not mark or (scheme == "tcp" and not _has_port(rest)):
            node.bad("an address to listen on, such as 'tcp://127.0.0.1:5556'")
        elif not keyed and not is_loopback(address):
            node.bad("an address of this machine alone (tcp://127.0.0.1:...), or curve_secret beside it")

    # -- the tables -----------------------------------------------------------------------------------------------

    def _tables(self, node: Node | None) -> tuple[SiteTable, ...]:
        entries = node.entries("tables, each under [[tables]]") if node is not None else []
        if node is not None and isinstance(node.raw, list) and not entries:
            node.bad("at least one table")
        tables: list[SiteTable] = []
        for entry in entries:
            table = self._table(entry)
            if table is None:
                continue
            if table.table.table in {other.table.table for other in tables}:
                entry.bad("each table once", f"the table {table.table.table!r} twice")
            tables.append(table)
        return tuple(tables)

    def _table(self, node: Node) -> SiteTable | None:
        if not node.is_table(("file",), ("source", "signals", "stall_s")):
            return None
        path = self._existing(node.get("file"))
        table = self._table_file(path) if path is not None else None
        signals = self._existing(node.get("signals"))
        stall = node.get("stall_s")
        stall_s = stall.number(0.5, 3600.0) if stall is not None else STALL_S
        source = self._source(node, table)
        if path is None or table is None or source is None:
            return None
        return SiteTable(path, table, source, signals, stall_s or STALL_S)

    def _table_file(self, path: Path) -> Table | None:
        try:
            return load_table(path)
        except TableFileFault as fault:
            self.document.problems.extend(fault.problems)
            return None

    def _source(self, node: Node, table: Table | None) -> str | None:
        own = node.get("source")
        text = own.text() if own is not None else table.camera.source if table is not None else None
        if own is None and table is not None and text is None:
            self.document.problem((*node.path, "source"), "nothing", "this key, or camera.source in the table file")
        if text is None or "://" in text or text.startswith("/dev/"):
            return text
        # A path in the table file is relative to that file, one in the site file to this one.
        folder = self._folder if own is not None else self._table_folder(node)
        return str(folder / text)

    def _table_folder(self, node: Node) -> Path:
        file = node.get("file")
        return (self._folder / str(file.raw if file is not None else "")).parent

    # -- paths ----------------------------------------------------------------------------------------------------

    def _place(self, node: Node | None) -> Path | None:
        text = _text(node)
        return self._folder / text if text is not None else None

    def _existing(self, node: Node | None, *, folder: bool = False) -> Path | None:
        path = self._place(node)
        if path is None or node is None:
            return None
        if not (path.is_dir() if folder else path.is_file()):
            node.bad("a folder that exists" if folder else "a file that exists", f"{node.raw!r}, where there is none")
            return None
        return path


def _text(node: Node | None) -> str | None:
    return node.text() if node is not None else None


def _has_port(rest: str) -> bool:
    host, _, port = rest.rpartition(":")
    return bool(host) and (port == "*" or (port.isdigit() and int(port) < 65536))
