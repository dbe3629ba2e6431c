"""Alerts on ZeroMQ: disk first, then wire.

    alert/<table>/     one message for each alert; `seq` counts up by one within `stream`, one stream for each table
    status/<table>/    health
    heartbeat/         once a second, with the last `seq` of each stream

Each is a topic and one JSON object. The closing slash keeps a subscription to `table/1` from hearing `table/12`. PUB
loses messages by design: to those who join late, to those who are slow. So a ROUTER socket answers `{"from": seq}`, or
`{"stream": ..., "from": seq}` for one stream of several, from the disk. The answer is one message of several parts:
each envelope as it was sent, and last `{"end": seq, "last": seq, "more": false}`. While `more` is true there are more
than one answer holds: ask again from `end` + 1. The same socket takes signals: see `pitwatch/inbox.py`.

No subscriber can hold the sender up: sending never blocks, what a slow one cannot take is dropped for him alone, and
closing waits for nobody.
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zmq
import zmq.auth
from zmq.auth.thread import ThreadAuthenticator

from faults import Fault
from pitwatch.inbox import Inbox, SignalError
from pitwatch.jsonl import line_of
from pitwatch.store import VERSION, AlertLog, now_text

REPLAY_MOST = 10_000  # alerts of each stream in one answer
BEAT_S = 1.0
STEP_MS = 50
HIGH_WATER = 10_000  # messages waiting for one slow subscriber before his are dropped

LONGEST_QUESTION = 1 << 16  # bytes


class BusFault(Fault):
    """The bus cannot be opened as it is configured."""


@dataclass(frozen=True, slots=True)
class BusPlaces:
    """Where the bus listens.

    `secret_key` is a CURVE certificate's file; `clients` a folder of public keys that may connect (without it,
    everybody who has the server's public key).
    """

    alerts: str = "tcp://127.0.0.1:5556"
    replay: str = "tcp://127.0.0.1:5557"
    secret_key: Path | None = None
    clients: Path | None = None


def is_loopback(endpoint: str) -> bool:
    """True if nobody outside this machine can reach the endpoint."""
    scheme, _, rest = endpoint.partition("://")
    if scheme in ("ipc", "inproc"):
        return True
    host = rest.rsplit(":", 1)[0].strip("[]")
    if host == "localhost":
        return True
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def topic(kind: str, table: str = "") -> str:
    """The topic of a kind of message; always closed by a slash."""
    return f"{kind}/{table}/" if table else f"{kind}/"


class Bus:
    """The two sockets, and the thread that beats the heart and answers who missed something."""

    def __init__(self, places: BusPlaces, logs: Sequence[AlertLog]) -> None:
        """Opens both sockets.

        Raises:
            BusFault: an address is taken or wrong, or the keys are missing or no keys.
        """
        self._logs = tuple(logs)
        self.inbox = Inbox([log.table for log in logs])
        self._lock = threading.Lock()  # a socket may change threads only across a full memory fence
        self._stop = threading.Event()
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._guard: ThreadAuthenticator | None = None
        try:
            _refuse_open_door(places)
            self._start_guard(places)
            self._publisher = self._open(zmq.PUB, places.alerts, places)
            self._router = self._open(zmq.ROUTER, places.replay, places)
        except BaseException:
            self._shut()
            raise
        self.alerts_at = _endpoint(self._publisher)
        self.replay_at = _endpoint(self._router)
        self._thread = threading.Thread(target=self._serve, name="bus", daemon=True)
        self._thread.start()

    def _open(self, kind: int, endpoint: str, places: BusPlaces) -> zmq.Socket[bytes]:
        socket = self._context.socket(kind)
        socket.linger = 0
        socket.sndhwm = HIGH_WATER
        socket.maxmsgsize = LONGEST_QUESTION  # who sends more is cut off; what the bus itself sends is not limited
        if places.secret_key is not None:
            public, secret = _key_pair(places.secret_key)
            socket.curve_publickey, socket.curve_secretkey, socket.curve_server = public, secret, True
        try:
            socket.bind(endpoint)
        except zmq.ZMQError as error:
            raise BusFault(
                "cannot listen",
                where=endpoint,
                why=f"{error.strerror}",
                todo="Is another pitwatch running? Give another address or port.",
            ) from error
        return socket

    def _start_guard(self, places: BusPlaces) -> None:
        """Lets in only those whose public keys lie in the folder."""
        if places.clients is None or places.secret_key is None:
            return
        if not places.clients.is_dir():
            raise BusFault(
                "no folder of clients' keys", where=str(places.clients), why="it does not exist", todo="Create it."
            )
        self._guard = ThreadAuthenticator(self._context)
        self._guard.start()
        self._guard.configure_curve(domain="*", location=str(places.clients))

    def alert(self, log: AlertLog, alert: Mapping[str, Any]) -> str:
        """Puts an alert on the disk, then on the wire. Returns its envelope.

        Raises:
            OSError: the disk refused it; it was sent nowhere, and may be tried again.
        """
        with log.sending:  # two threads could otherwise put seq 8 on the wire before seq 7
            envelope = log.append(alert)
            self._send(topic("alert", log.table), envelope)
        return envelope

    def status(self, table: str, health: Mapping[str, Any]) -> None:
        """Tells a table's health."""
        body = {"v": VERSION, "table": table, "sent_at": now_text(), "status": health}
        self._send(topic("status", table), line_of(body))

    def _send(self, subject: str, body: str) -> None:
        # A socket that cannot take the message drops it: it is on the disk, and nobody may hold a camera up.
        with self._lock, contextlib.suppress(zmq.ZMQError):
            if not self._publisher.closed:
                self._publisher.send_multipart([subject.encode(), body.encode()], zmq.NOBLOCK)

    def _serve(self) -> None:
        while not self._stop.is_set():
            self._beat()
            self._answer_until_next_beat()

    def _beat(self) -> None:
        streams = {log.stream: log.last_seq for log in self._logs}
        seq = max(streams.values(), default=0)
        self._send(topic("heartbeat"), line_of({"v": VERSION, "seq": seq, "streams": streams, "sent_at": now_text()}))

    def _answer_until_next_beat(self) -> None:
        due_s = time.monotonic() + BEAT_S
        while not self._stop.is_set() and time.monotonic() < due_s:
            try:
                if self._router.poll(STEP_MS):  # short steps, so that closing never waits for a whole beat
                    self._answer(self._router.recv_multipart(zmq.NOBLOCK))
            except Exception:  # whoever asks whatever, or goes away: the heart beats on, and others are answered
                self._stop.wait(STEP_MS / 1000)

    def _answer(self, request: list[bytes]) -> None:
        """Answers one request. A REQ socket puts an empty part first, a DEALER does not; both are served."""
        envelope, body = request[:-1], request[-1]
        reply = self._replay(body)
        self._router.send_multipart([*envelope, *(part.encode() for part in reply)], zmq.NOBLOCK)

    def _replay(self, body: bytes) -> list[str]:
        """What was missed, as parts of an answer."""
        try:
            asked = json.loads(body)
            if "signal" in asked:
                return [line_of({"v": VERSION, "accepted": True} | self.inbox.put(asked["signal"]))]
            start = asked["from"]
            if isinstance(start, bool) or not isinstance(start, int):
                raise TypeError
            logs = [log for log in self._logs if asked.get("stream") in (None, log.stream, log.table)]
            if not logs:
                return [_error(f"unknown stream; there are {', '.join(log.stream for log in self._logs)}")]
        except SignalError as error:
            return [_error(str(error))]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return [_error('expected {"from": seq} or {"stream": stream, "from": seq}')]
        lines = [line for log in logs for line in log.since(start, REPLAY_MOST)]
        last = max(log.last_seq for log in logs)
        end = min(last, max(start, 1) + REPLAY_MOST - 1)
        return [*lines, line_of({"v": VERSION, "end": end, "last": last, "more": end < last})]

    def close(self) -> None:
        """Closes within a fraction of a second, whoever listens or does not."""
        self._stop.set()
        self._thread.join(timeout=1.0)
        self._shut()

    def _shut(self) -> None:
        if self._guard is not None:
            self._guard.stop()
            self._guard = None
        with self._lock:
            self._context.destroy(linger=0)


def _endpoint(socket: zmq.Socket[bytes]) -> str:
    """Where a socket listens, with the port that it was given."""
    return socket.getsockopt_string(zmq.LAST_ENDPOINT)


def _error(text: str) -> str:
    return line_of({"v": VERSION, "error": text})


def _refuse_open_door(places: BusPlaces) -> None:
    for endpoint in (places.alerts, places.replay):
        if places.secret_key is None and not is_loopback(endpoint):
            raise BusFault(
                "no key for an address that others can reach",
                where=endpoint,
                why="alerts leave this machine only encrypted (CURVE)",
                todo="Set secret_key ('pitwatch watch --new-keys FOLDER' makes one), or listen on 127.0.0.1.",
            )


def _key_pair(path: Path) -> tuple[bytes, bytes]:
    """Public and secret key of a certificate file."""
    try:
        public, secret = zmq.auth.load_certificate(str(path))
    except (OSError, ValueError) as error:
        raise BusFault(
            "no CURVE certificate",
            where=str(path),
            why=str(error),
            todo="Make one with 'pitwatch watch --new-keys FOLDER'.",
        ) from error
    if secret is None:
        raise BusFault(
            "no secret key",
            where=str(path),
            why="this is the public half",
            todo="Give the file that ends in .key_secret.",
        )
    return public, secret


def new_keys(folder: Path, name: str = "pitwatch") -> tuple[Path, Path]:
    """Makes a pair of CURVE certificates. Returns the public file and the secret one, which only its owner can read."""
    folder.mkdir(parents=True, exist_ok=True)
    public, secret = zmq.auth.create_certificates(folder, name)
    Path(secret).chmod(0o600)
    return Path(public), Path(secret)
