"""The bus: nothing is lost that somebody asks for, and nobody holds it up."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import zmq
import zmq.auth

from pitwatch.bus import Bus, BusFault, BusPlaces, is_loopback, new_keys
from pitwatch.store import AlertLog
from tests.pitwatch.fakes import finding

ANY = "tcp://127.0.0.1:*"


@pytest.fixture
def quick_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beats that a test need not wait for."""
    monkeypatch.setattr("pitwatch.bus.BEAT_S", 0.1)


@contextmanager
def bus_of(folder: Path, *tables: str, places: BusPlaces | None = None) -> Iterator[tuple[Bus, list[AlertLog]]]:
    logs = [AlertLog(folder / table, table) for table in tables]
    bus = Bus(places or BusPlaces(ANY, ANY), logs)
    yield bus, logs
    bus.close()
    for log in logs:
        log.close()


@contextmanager
def socket_to(address: str, kind: int, **options: Any) -> Iterator[zmq.Socket[bytes]]:
    with zmq.Context() as context, context.socket(kind) as socket:
        socket.linger, socket.rcvtimeo = 0, 3000
        for name, value in options.items():
            setattr(socket, name, value)
        socket.connect(address)
        yield socket


def joined(bus: Bus, subscriber: zmq.Socket[bytes]) -> None:
    """Waits until the subscription has arrived: heard when the heartbeat is."""
    subscriber.subscribe("heartbeat/")
    topic, _ = subscriber.recv_multipart()
    assert topic == b"heartbeat/"
    subscriber.unsubscribe("heartbeat/")


def alert(number: int = 1, table: str = "1") -> dict[str, Any]:
    return finding(t_us=number, table=table) | {"count": 1, "state": "open", "first_us": number, "last_us": number}


def alerts_in(subscriber: zmq.Socket[bytes], count: int) -> list[tuple[bytes, dict[str, Any]]]:
    found: list[tuple[bytes, dict[str, Any]]] = []
    while len(found) < count:
        topic, body = subscriber.recv_multipart()
        if topic.startswith(b"alert/"):
            found.append((topic, json.loads(body)))
    return found


def asked(address: str, kind: int, body: bytes) -> list[dict[str, Any]]:
    with socket_to(address, kind) as socket:
        socket.send(body)
        return [json.loads(part) for part in socket.recv_multipart()]


@pytest.mark.usefixtures("quick_beats")
def test_an_alert_is_an_envelope_with_its_topic_and_seq(tmp_path: Path) -> None:
    with bus_of(tmp_path, "1") as (bus, logs), socket_to(bus.alerts_at, zmq.SUB) as subscriber:
        subscriber.subscribe("alert/1/")
        joined(bus, subscriber)
        for number in (1, 2):
            bus.alert(logs[0], alert(number))
        heard = alerts_in(subscriber, 2)
    assert [topic for topic, _ in heard] == [b"alert/1/"] * 2
    assert set(heard[0][1]) == {"v", "stream", "seq", "sent_at", "alert"}
    assert [body["seq"] for _, body in heard] == [1, 2]
    assert heard[0][1]["alert"] == alert(1)


@pytest.mark.usefixtures("quick_beats")
def test_table_1_is_not_table_12(tmp_path: Path) -> None:
    with bus_of(tmp_path, "1", "12") as (bus, logs), socket_to(bus.alerts_at, zmq.SUB) as subscriber:
        subscriber.subscribe("alert/1/")
        joined(bus, subscriber)
        bus.alert(logs[1], alert(1, "12"))
        bus.alert(logs[0], alert(2, "1"))
        ((topic, body),) = alerts_in(subscriber, 1)
    assert (topic, body["seq"], body["alert"]["table"]) == (b"alert/1/", 1, "1")


def test_it_is_on_disk_before_it_is_on_the_wire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with bus_of(tmp_path, "1") as (bus, logs):
        on_disk: list[int] = []
        monkeypatch.setattr(bus, "_send", lambda topic, body: on_disk.append(logs[0].path.read_text().count(body)))
        bus.alert(logs[0], alert())
        monkeypatch.undo()
    assert on_disk[0] == 1


@pytest.mark.parametrize("kind", [zmq.REQ, zmq.DEALER])
def test_a_late_joiner_asks_and_ends_with_all(tmp_path: Path, kind: int) -> None:
    with bus_of(tmp_path, "1") as (bus, logs):
        sent = [json.loads(bus.alert(logs[0], alert(number))) for number in range(100)]
        *missed, end = asked(bus.replay_at, kind, b'{"from": 1}')
        assert missed == sent
        assert (end["end"], end["more"]) == (100, False)
        *some, _ = asked(bus.replay_at, kind, b'{"from": 98}')
        assert [envelope["seq"] for envelope in some] == [98, 99, 100]
        assert asked(bus.replay_at, kind, b'{"from": 101}')[0]["end"] == 100


def test_one_stream_of_several_can_be_asked_for(tmp_path: Path) -> None:
    with bus_of(tmp_path, "1", "2") as (bus, logs):
        for number in range(3):
            bus.alert(logs[number % 2], alert(number, logs[number % 2].table))
        question = json.dumps({"stream": logs[1].stream, "from": 1}).encode()
        *missed, end = asked(bus.replay_at, zmq.REQ, question)
        assert [(envelope["stream"], envelope["seq"]) for envelope in missed] == [(logs[1].stream, 1)]
        assert end["end"] == 1
        *everything, _ = asked(bus.replay_at, zmq.REQ, b'{"from": 1}')
        assert len(everything) == 3


@pytest.mark.parametrize(
    "body",
    [b"", b"\xff", b"[]", b"[" * 50_000, b'{"from": "a"}', b'{"from": true}', b'{"from": 1, "stream": "no"}'],
)
def test_a_wrong_question_is_answered_and_does_no_harm(tmp_path: Path, body: bytes) -> None:
    with bus_of(tmp_path, "1") as (bus, _):
        assert "error" in asked(bus.replay_at, zmq.REQ, body)[0]
        assert asked(bus.replay_at, zmq.REQ, b'{"from": 1}')[0]["end"] == 0


def test_a_signal_is_taken_for_its_table(tmp_path: Path) -> None:
    with bus_of(tmp_path, "1", "2") as (bus, _):
        body = {"signal": {"table": "2", "name": "preshuffled", "value": True}}
        (answer,) = asked(bus.replay_at, zmq.REQ, json.dumps(body).encode())
        assert answer == {"v": 1, "accepted": True, "table": "2", "name": "preshuffled", "value": True}
        assert bus.inbox.take("1") == []
        assert bus.inbox.take("2") == [("preshuffled", True)]
        assert bus.inbox.take("2") == []


@pytest.mark.parametrize(
    ("signal", "said"),
    [
        (7, "expected"),
        ({"table": "1", "name": "bank"}, "expected"),
        ({"table": "3", "name": "bank", "value": None}, "unknown table '3'"),
        ({"table": [1], "name": "bank", "value": None}, "unknown table"),
        ({"table": "1", "name": "bnk", "value": None}, "expected 'bank'"),
        ({"table": "1", "name": {}, "value": None}, "unknown signal"),
        ({"table": "1", "name": "preshuffled", "value": "true"}, "expected true or false"),
    ],
)
def test_a_signal_that_cannot_be_is_refused(tmp_path: Path, signal: object, said: str) -> None:
    with bus_of(tmp_path, "1") as (bus, _):
        (answer,) = asked(bus.replay_at, zmq.REQ, json.dumps({"signal": signal}).encode())
        assert said in answer["error"]
        assert bus.inbox.take("1") == []


def test_a_question_without_end_cuts_off_who_asks_and_nobody_else(tmp_path: Path) -> None:
    with bus_of(tmp_path, "1") as (bus, _), socket_to(bus.replay_at, zmq.DEALER) as greedy:
        greedy.send(b" " * (1 << 20))
        assert asked(bus.replay_at, zmq.REQ, b'{"from": 1}')[0]["end"] == 0


def test_more_than_one_answer_holds_is_asked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitwatch.bus.REPLAY_MOST", 4)
    with bus_of(tmp_path, "1") as (bus, logs):
        for number in range(6):
            bus.alert(logs[0], alert(number))
        *first, end = asked(bus.replay_at, zmq.REQ, b'{"from": 1}')
        assert ([e["seq"] for e in first], end["end"], end["more"]) == ([1, 2, 3, 4], 4, True)
        *rest, end = asked(bus.replay_at, zmq.REQ, b'{"from": 5}')
        assert ([e["seq"] for e in rest], end["end"], end["more"]) == ([5, 6], 6, False)


def test_the_heart_beats_each_second_with_the_last_seq(tmp_path: Path) -> None:
    with bus_of(tmp_path, "1", "2") as (bus, logs), socket_to(bus.alerts_at, zmq.SUB) as subscriber:
        subscriber.subscribe("heartbeat/")
        bus.alert(logs[0], alert())
        times = []
        for _ in range(2):
            topic, body = subscriber.recv_multipart()
            times.append(time.monotonic())
    assert topic == b"heartbeat/"
    assert json.loads(body)["streams"] == {logs[0].stream: 1, logs[1].stream: 0}
    assert json.loads(body)["seq"] == 1
    assert 0.7 < times[1] - times[0] < 1.5


@pytest.mark.usefixtures("quick_beats")
def test_a_dead_subscriber_does_not_block_200_alerts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitwatch.bus.HIGH_WATER", 5)  # full after a few, so that each further one is refused
    with bus_of(tmp_path, "1") as (bus, logs), socket_to(bus.alerts_at, zmq.SUB, rcvhwm=1, rcvbuf=1024) as dead:
        dead.subscribe("alert/")
        joined(bus, dead)
        begun_s = time.monotonic()
        for number in range(200):
            bus.alert(logs[0], alert(number) | {"explanation": "x" * 20_000})
        took_s = time.monotonic() - begun_s
        assert logs[0].last_seq == 200
        begun_s = time.monotonic()
    closing_s = time.monotonic() - begun_s
    assert took_s < 3.0
    assert closing_s < 2.0


def test_who_asks_and_does_not_listen_holds_nobody_up(tmp_path: Path) -> None:
    with bus_of(tmp_path, "1") as (bus, logs):
        for number in range(50):
            bus.alert(logs[0], alert(number))
        with socket_to(bus.replay_at, zmq.DEALER, rcvhwm=1) as deaf:
            for _ in range(50):
                deaf.send(b'{"from": 1}')
            *missed, _ = asked(bus.replay_at, zmq.REQ, b'{"from": 1}')
    assert len(missed) == 50


def test_an_address_in_use_is_a_fault_and_frees_the_other(tmp_path: Path) -> None:
    with bus_of(tmp_path, "1") as (bus, logs):
        with pytest.raises(BusFault, match="cannot listen"):
            Bus(BusPlaces(ANY, bus.replay_at), logs)
        with pytest.raises(BusFault, match="cannot listen"):
            Bus(BusPlaces("tcp://127.0.0.1:nonsense", ANY), logs)


@pytest.mark.parametrize("open_door", ["tcp://0.0.0.0:*", "tcp://*:5556", "tcp://192.0.2.1:5556", "tcp://[::]:5556"])
@pytest.mark.parametrize("replay", [True, False])
def test_an_open_address_without_keys_is_refused(tmp_path: Path, open_door: str, replay: bool) -> None:
    log = AlertLog(tmp_path, "1")
    with pytest.raises(BusFault, match="CURVE"):
        Bus(BusPlaces(ANY, open_door) if replay else BusPlaces(open_door, ANY), [log])
    log.close()


def test_loopback_is_told_from_the_rest() -> None:
    assert all(map(is_loopback, [ANY, "tcp://localhost:1", "tcp://[::1]:1", "ipc:///tmp/x", "tcp://127.9.9.9:1"]))
    assert not any(map(is_loopback, ["tcp://*:1", "tcp://eth0:1", "tcp://10.0.0.1:1", "tcp://host.example:1"]))


@pytest.mark.usefixtures("quick_beats")
def test_curve_guards_both_sockets_and_lets_known_clients_in(tmp_path: Path) -> None:
    server_public, secret = new_keys(tmp_path / "server")
    assert secret.stat().st_mode & 0o077 == 0
    client_public, client_secret = new_keys(tmp_path / "client", "console")
    (tmp_path / "allowed").mkdir()
    client_public.rename(tmp_path / "allowed" / client_public.name)
    places = BusPlaces("tcp://0.0.0.0:*", "tcp://0.0.0.0:*", secret, tmp_path / "allowed")
    server_key, _ = zmq.auth.load_certificate(server_public)
    public, private = zmq.auth.load_certificate(client_secret)
    stranger_public, stranger_private = zmq.curve_keypair()
    known = {"curve_serverkey": server_key, "curve_publickey": public, "curve_secretkey": private}
    stranger = known | {"curve_publickey": stranger_public, "curve_secretkey": stranger_private}
    with bus_of(tmp_path, "1", places=places) as (bus, logs):
        bus.alert(logs[0], alert())
        replay_at = bus.replay_at.replace("0.0.0.0", "127.0.0.1")
        alerts_at = bus.alerts_at.replace("0.0.0.0", "127.0.0.1")
        with socket_to(replay_at, zmq.REQ, **known) as asks, socket_to(alerts_at, zmq.SUB, **known) as hears:
            hears.subscribe("heartbeat/")
            asks.send(b'{"from": 1}')
            assert json.loads(asks.recv())["alert"]["table"] == "1"
            assert hears.recv_multipart()[0] == b"heartbeat/"
        for keys in ({}, stranger):
            with socket_to(replay_at, zmq.REQ, **keys) as asks:
                asks.send(b'{"from": 1}')  # queued: a refusal looks like nobody there
                assert not asks.poll(400)


def test_a_key_that_is_none_is_a_fault(tmp_path: Path) -> None:
    public, _ = new_keys(tmp_path)
    log = AlertLog(tmp_path / "1", "1")
    for path, words in ((tmp_path / "nothing", "no CURVE certificate"), (public, "no secret key")):
        with pytest.raises(BusFault, match=words):
            Bus(BusPlaces(ANY, ANY, path), [log])
    log.close()
