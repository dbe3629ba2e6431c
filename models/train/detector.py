"""The detector's training: yolo11n with oriented boxes, a plain loop that can be stopped and taken up again.

A loop of its own rather than Ultralytics' trainer, because a batch here carries a mask of known classes and things
of which only the hull is known, and because two cores need bfloat16, channels-last and no plots.
"""

from __future__ import annotations

import copy
import json
import math
import time
from pathlib import Path
from types import SimpleNamespace

import cv2
import torch
from ultralytics.nn.tasks import OBBModel

from models.train.feed import Mixture, batches
from models.train.loss import MaskedLoss
from models.train.recipe import Stage
from models.train.samples import Sample
from models.train.say import say
from vision.detections import CLASSES

THREADS = 2
BATCH = 16


def new_network(start: Path | None) -> OBBModel:
    """The network with this project's classes; what fits of the weights in `start` is taken over."""
    network = OBBModel("yolo11n-obb.yaml", nc=len(CLASSES), verbose=False)
    network.args = SimpleNamespace()
    if start is not None:
        stored = torch.load(start, map_location="cpu", weights_only=False)
        weights = stored["model"].float().state_dict() if hasattr(stored["model"], "state_dict") else stored["model"]
        own = network.state_dict()
        fitting = {k: v for k, v in weights.items() if k in own and own[k].shape == v.shape}
        network.load_state_dict(fitting, strict=False)
        say(f"took {len(fitting)} of {len(own)} tensors from {start.name}")
    return network


def _optimizer(network: OBBModel, rate: float) -> torch.optim.Optimizer:
    """AdamW; no decay on what is not a matrix."""
    matrices = [p for p in network.parameters() if p.ndim > 1 and p.requires_grad]
    others = [p for p in network.parameters() if p.ndim <= 1 and p.requires_grad]
    groups = [{"params": matrices, "weight_decay": 5e-4}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.999))


class Average:
    """The moving average of the weights, which is what is kept."""

    def __init__(self, network: OBBModel) -> None:
        self.network = copy.deepcopy(network).eval().requires_grad_(False)
        self.steps = 0

    @torch.no_grad()
    def update(self, network: OBBModel) -> None:
        """Takes one step towards `network`."""
        self.steps += 1
        keep = 0.998 * (1 - math.exp(-self.steps / 150))
        for own, new in zip(self.network.state_dict().values(), network.state_dict().values(), strict=True):
            if own.dtype.is_floating_point:
                own.mul_(keep).add_(new.detach(), alpha=1 - keep)
            else:
                own.copy_(new)


def train(stage: Stage, samples: dict[str, list[Sample]], start: Path, out: Path) -> None:
    """Trains one stage and writes `out`/detector_<stage>.pt; takes up an unfinished run found there.

    A stage that is finished is not trained again.

    Args:
        stage: what to do.
        samples: the labelled pictures by the name of their set.
        start: the weights to begin with.
        out: the folder of the run.
    """
    torch.set_num_threads(THREADS)
    cv2.setNumThreads(1)
    torch.manual_seed(stage.seed)
    path, unfinished = out / f"detector_{stage.name}.pt", out / f"detector_{stage.name}.part"
    if path.exists():
        say(f"stage {stage.name} is there")
        return
    network = new_network(start).to(memory_format=torch.channels_last).train()
    optimizer, average, done = _optimizer(network, stage.rate), Average(network), 0
    if unfinished.exists():
        state = torch.load(unfinished, map_location="cpu", weights_only=False)
        network.load_state_dict(state["network"])
        average.network.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        average.steps = done = state["done"]
        say(f"taken up at step {done}")
    say(json.dumps({"stage": stage.name, "samples": {name: len(found) for name, found in samples.items()}}))
    loss_of = MaskedLoss(network)
    mixture = Mixture(samples, stage.shares, stage.seed + done)
    began, shown = time.monotonic(), torch.zeros(4)
    for step, (images, targets) in enumerate(batches(mixture, BATCH, stage.steps - done), start=done + 1):
        for group in optimizer.param_groups:
            group["lr"] = stage.rate * _schedule(step, stage.steps)
        with torch.autocast("cpu", torch.bfloat16):
            raw = network(images.to(memory_format=torch.channels_last))
        loss, parts = loss_of(raw, targets)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 10.0)
        optimizer.step()
        average.update(network)
        shown = parts if step == done + 1 else 0.97 * shown + 0.03 * parts
        if step % 20 == 0:
            speed = (step - done) * BATCH / (time.monotonic() - began)
            figures = " ".join(f"{v:.3f}" for v in shown.tolist())
            say(f"step {step}/{stage.steps} box class distance angle {figures}  {speed:.1f} images/s")
        if step % 100 == 0:
            _save(unfinished, network, average, optimizer, step)
    torch.save({"model": average.network.state_dict(), "stage": stage.name, "steps": stage.steps}, path)
    unfinished.unlink(missing_ok=True)


def _schedule(step: int, steps: int) -> float:
    """Warm-up over the first 60 steps, then a cosine down to 2 %."""
    warm = min(1.0, step / 60)
    return warm * (0.02 + 0.98 * (1 + math.cos(math.pi * step / steps)) / 2)


def _save(path: Path, network: OBBModel, average: Average, optimizer: torch.optim.Optimizer, done: int) -> None:
    """Everything needed to go on, written whole or not at all."""
    state = {
        "network": network.state_dict(),
        "model": average.network.state_dict(),
        "optimizer": optimizer.state_dict(),
        "done": done,
    }
    torch.save(state, path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)
