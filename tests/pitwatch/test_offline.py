"""A review needs no network: what it asks for lies in the installation."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import NoReturn

import pytest

from pitwatch.folder import run_of
from pitwatch.review import Order, run_review
from pitwatch.stages import real_stages
from tests.pitwatch.fakes import write_table, write_video


def test_a_review_with_the_installed_models_opens_no_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> NoReturn:
        raise AssertionError("somebody asks for the network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    order = Order((str(write_video(tmp_path / "a.mp4", 0.5)),), write_table(tmp_path), tmp_path / "out")
    assert run_review(order, real_stages()).exit_code == 0
    run = run_of(tmp_path / "out")
    assert run is not None
    assert {"detector.onnx", "reader.onnx"} <= run["models"].keys()
