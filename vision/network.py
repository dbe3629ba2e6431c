"""Loads a network for ONNX Runtime, or says in one message why it cannot."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from faults import Fault

#: In this order, whichever is there.
PROVIDERS = ("CUDAExecutionProvider", "CPUExecutionProvider")
#: ONNX Runtime's log level: errors only.
QUIET = 3


class ModelFault(Fault):
    """A model that is missing, damaged or made for something else."""


class Network:
    """One ONNX model, ready to run.

    Args:
        path: the .onnx file.
        threads: how many threads one run may use.

    Attributes:
        notes: what the training wrote into the model's metadata, JSON values by key; other text as it stands.
        provider: the ONNX Runtime provider it runs on.

    Raises:
        ModelFault: the file is missing or is no model.
    """

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        if not path.is_file():
            raise ModelFault(
                "there is no model", where=str(path), why="the file does not exist", todo="Install it, or 'make train'."
            )
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        # A thread that spins while it waits takes the core from the others that have work.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = QUIET
        available = onnxruntime.get_available_providers()
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), options, providers=[name for name in PROVIDERS if name in available]
            )
            stored = self._session.get_modelmeta().custom_metadata_map
            self.notes: dict[str, Any] = {key: _note(value) for key, value in stored.items()}
        except Exception as error:  # ONNX Runtime's own errors share no base class
            raise ModelFault(
                "not a model of this program",
                where=str(path),
                why=str(error).splitlines()[0][:200],
                todo="The file may be damaged: install it again, or 'make train'.",
            ) from error
        self.path = path
        self.provider: str = self._session.get_providers()[0]
        self._input: str = self._session.get_inputs()[0].name

    def expect(self, key: str, wanted: Sequence[str]) -> None:
        """Raises ModelFault unless the model's note `key` lists exactly `wanted`, in that order."""
        found = self.notes.get(key)
        if found == list(wanted):
            return
        have = found if isinstance(found, list) else []
        missing = [name for name in wanted if name not in have]
        extra = [str(name) for name in have if name not in wanted]
        lacks = f"missing: {', '.join(missing) or 'none'}; not known: {', '.join(extra) or 'none'}"
        raise ModelFault(
            f"the model's {key} are not this program's",
            where=str(self.path),
            why=lacks if missing or extra else "they are in another order",
            todo="Use the model that belongs to this version, or 'make train'.",
        )

    def expect_number(self, key: str, wanted: float, meaning: str) -> None:
        """Raises ModelFault unless the model's note `key` is the number `wanted`; `meaning` says what it is."""
        found = self.notes.get(key)
        if found != wanted:
            raise ModelFault(
                f"the model's {key} is {'not stated' if found is None else found}",
                where=str(self.path),
                why=f"this program needs {wanted:g}: {meaning}",
                todo="Use the model that belongs to this version, or 'make train'.",
            )

    def expect_pictures(self, outputs: Sequence[str]) -> None:
        """Raises ModelFault unless the model takes colour pictures of any size and gives exactly `outputs`."""
        inputs = self._session.get_inputs()
        shape = inputs[0].shape
        free = len(shape) == 4 and not any(isinstance(side, int) for side in shape[2:])
        found = [output.name for output in self._session.get_outputs()]
        if len(inputs) == 1 and inputs[0].type == "tensor(float)" and free and shape[1] == 3 and found == list(outputs):
            return
        raise ModelFault(
            "the model is of another form",
            where=str(self.path),
            why=f"it takes {inputs[0].type} {shape} and gives {', '.join(found)}; expected are floats "
            f"[batch, 3, height, width] of any height and width, and {', '.join(outputs)}",
            todo="Export it with this project's training: 'make train', or 'pitwatch train --from LABELS'.",
        )

    def expect_card(self) -> None:
        """Raises ModelFault if the card beside the model (.json of its name) was written for another file."""
        card = self.path.with_suffix(".json")
        if not card.is_file():
            return
        try:
            stated = json.loads(card.read_text(encoding="utf-8")).get("sha256")
        except (OSError, ValueError, AttributeError) as error:
            raise ModelFault(
                "the model's card cannot be read", where=str(card), why=str(error), todo="Install the model again."
            ) from error
        found = hashlib.sha256(self.path.read_bytes()).hexdigest()
        if stated != found:
            raise ModelFault(
                "the model is not the one that its card describes",
                where=str(self.path),
                why=f"its SHA-256 is {found[:12]}..., {card.name} states {str(stated)[:12]}...",
                todo="Put the model and its card back together, or train again.",
            )

    def run(self, batch: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """All outputs for one input batch."""
        outputs: list[NDArray[np.float32]] = self._session.run(None, {self._input: batch})
        return outputs


def _note(text: str) -> Any:
    """A value of the metadata: JSON, or, in a model from elsewhere, text."""
    try:
        return json.loads(text)
    except ValueError:
        return text
