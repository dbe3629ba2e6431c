"""Weights to ONNX, with what the program must know of them in the file's metadata."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import onnx
import torch
from torch import nn

OPSET = 17


def write_onnx(
    network: nn.Module,
    example: torch.Tensor,
    path: Path,
    *,
    outputs: list[str],
    moving: dict[int, str],
    notes: dict[str, Any],
) -> None:
    """Writes `network` to `path`; the input's axes in `moving` may have any size, `notes` go into the metadata."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network,
            (example,),
            str(path),
            opset_version=OPSET,
            input_names=["images"],
            output_names=outputs,
            dynamic_axes={"images": moving, **{name: {0: "batch"} for name in outputs}},
            dynamo=False,
            do_constant_folding=True,
        )
    model = onnx.load(str(path))
    for key, value in notes.items():
        model.metadata_props.add(key=key, value=json.dumps(value))
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
