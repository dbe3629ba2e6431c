"""The page that draws, in a headless Chromium, driven over plain HTTP.

The page asks for work (`GET /work`), does it and posts what came of it (`POST /done`). There is nothing between the
two but the standard library: no driver package and no debugging port. Files come from the page's own folder, from the
card decks and from the pictures of cards that were baked.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from faults import Fault

PAGE = Path(__file__).parent / "page"
#: The page answers within this time, or it has died.
PATIENCE_S = 600
#: Software rendering: the same picture on every machine, and none needs a graphics card.
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--disable-accelerated-2d-canvas",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-extensions",
    "--disable-component-update",
    "--no-first-run",
    "--mute-audio",
)
TYPES = {".html": "text/html", ".js": "text/javascript", ".json": "application/json", ".png": "image/png"}


class BrowserFault(Fault):
    """The page could not be started, or could not draw."""


def _missing(what: str, todo: str) -> BrowserFault:
    return BrowserFault(f"{what} is missing", where="the second renderer", why="it draws with it", todo=todo)


class Browser:
    """A running page; use it in a `with` statement.

    Args:
        folders: more folders that the page may read, by the first part of their address.

    Raises:
        BrowserFault: no Chromium, no npm packages, or the page died or found a fault; the message says which.
    """

    def __init__(self, folders: Mapping[str, Path]) -> None:
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if program is None:
            raise _missing("Chromium", "Install the Debian package chromium.")
        if not (PAGE / "node_modules" / "three").is_dir():
            raise _missing("the npm package three", f"Run: npm ci --prefix {PAGE}")
        self._work: queue.Queue[Mapping[str, Any]] = queue.Queue()
        self._done: queue.Queue[tuple[dict[str, Any], bytes]] = queue.Queue()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self._work, self._done, {**folders, "": PAGE}))
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._home = tempfile.TemporaryDirectory(prefix="second-", ignore_cleanup_errors=True)
        self._command = [program, *FLAGS, f"--user-data-dir={self._home.name}"]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self._thread.start()
        address = f"http://127.0.0.1:{self._server.server_address[1]}/index.html"
        quiet = subprocess.DEVNULL
        environment = {**os.environ, "HOME": self._home.name}
        self._process = subprocess.Popen([*self._command, address], stdout=quiet, stderr=quiet, env=environment)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
        self._server.shutdown()
        self._server.server_close()
        self._home.cleanup()

    def ask(self, work: Mapping[str, Any]) -> tuple[dict[str, Any], bytes]:
        """What the page answers to one piece of work: plain values, and bytes (of a picture, or none)."""
        self._work.put(work)
        answer, content = self._answer(str(work.get("do")))
        if "fault" in answer:
            raise BrowserFault(
                "the page could not do its work",
                where=f"the second renderer, at '{work.get('do')}'",
                why=str(answer["fault"]),
                todo="If a file is missing, run npm ci in the page's folder; else mend the page.",
            )
        return answer, content

    def _answer(self, what: str) -> tuple[dict[str, Any], bytes]:
        """Waits for the page."""
        for _ in range(PATIENCE_S):
            try:
                return self._done.get(timeout=1)
            except queue.Empty:
                if self._process is None or self._process.poll() is not None:
                    break
        ended = self._process is None or self._process.poll() is not None
        raise BrowserFault(
            "the page does not answer",
            where=f"the second renderer, at '{what}'",
            why="Chromium has ended" if ended else f"nothing came back within {PATIENCE_S} s",
            todo="Try again with fewer other programs running, or look at the page in a browser of your own.",
        )


def _handler(
    work: queue.Queue[Mapping[str, Any]],
    done: queue.Queue[tuple[dict[str, Any], bytes]],
    folders: Mapping[str, Path],
) -> type[BaseHTTPRequestHandler]:
    """The class that answers the page."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
            """Says nothing."""

        def do_GET(self) -> None:
            path = self.path.split("?")[0].lstrip("/")
            if path == "work":
                try:
                    self._send(200, json.dumps(work.get(timeout=20)).encode(), "application/json")
                except queue.Empty:
                    self._send(204, b"", "text/plain")
                return
            file = file_at(path, folders)
            if file is None:
                self._send(404, b"", "text/plain")
            else:
                self._send(200, file.read_bytes(), TYPES.get(file.suffix, "application/octet-stream"))

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/say":
                sys.stderr.write(f"page: {content.decode(errors='replace')}\n")
                self._send(200, b"", "text/plain")
                return
            head, _, rest = content.partition(b"\n")
            done.put((json.loads(head), rest))
            self._send(200, b"", "text/plain")

        def _send(self, code: int, content: bytes, kind: str) -> None:
            self.send_response(code)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            with contextlib.suppress(ConnectionError):  # the page was closed
                self.wfile.write(content)

    return Handler


def file_at(path: str, folders: Mapping[str, Path]) -> Path | None:
    """The file at an address, if it lies in one of the folders."""
    first, _, rest = path.partition("/")
    folder, inside = (folders[first], rest) if first in folders and first else (folders[""], path)
    file = (folder / inside).resolve()
    return file if file.is_file() and folder.resolve() in file.parents else None
