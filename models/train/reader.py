"""The card reader: a small convolutional network, its training and its calibration."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.train.croppool import CropPool
from models.train.export import write_onnx
from models.train.recipe import Course
from models.train.say import say
from vision.crops import CROP_HEIGHT_PX, CROP_WIDTH_PX
from vision.read import RANKS, SIDES, SUITS

BATCH = 128
#: Precision that the reader must have where it answers.
PRECISION = 0.995
OUTPUTS = len(RANKS) + len(SUITS) + len(SIDES) + 1


def block(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    """A 3 x 3 convolution, normalised, with its bend."""
    conv = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
    return nn.Sequential(conv, nn.BatchNorm2d(outputs), nn.SiLU(inplace=True))


class Residual(nn.Module):
    """Two convolutions beside a straight path (He and others, 2016)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = block(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, features: Tensor) -> Tensor:
        """Features of the same shape."""
        return functional.silu(features + self.second(self.first(features)))


class ReaderNetwork(nn.Module):
    """(N, 3, 128, 96) BGR 0..1 to logits (N, 21): ranks, suits, sides, pair.

    The head sees where on the card a feature lies, because an index is read in the corner and pips by their places,
    and the strongest of each feature wherever it lies, because covered and askew cards have them elsewhere.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            block(3, 16, 2),
            block(16, 24),
            block(24, 48, 2),
            Residual(48),
            block(48, 80, 2),
            Residual(80),
            block(80, 128, 2),
            Residual(128),
        )
        self.places = block(128, 32)
        cells = (CROP_HEIGHT_PX // 16) * (CROP_WIDTH_PX // 16)
        self.head = nn.Sequential(
            nn.Dropout(0.15), nn.Linear(128 + 32 * cells, 128), nn.SiLU(inplace=True), nn.Dropout(0.15),
            nn.Linear(128, OUTPUTS),
        )  # fmt: skip

    def forward(self, images: Tensor) -> Tensor:
        """The logits."""
        found = self.body(images - 0.5)
        return self.head(torch.cat([found.amax(dim=(2, 3)), self.places(found).flatten(1)], dim=1))


def vary(images: Tensor, generator: torch.Generator) -> Tensor:
    """Cheap variation of a batch 0..1: light, colour, noise, coarseness, place, size, lean, either end up."""
    count = len(images)

    def uniform(low: float, high: float, *shape: int) -> Tensor:
        return torch.empty(shape).uniform_(low, high, generator=generator)

    images = images * uniform(0.75, 1.25, count, 1, 1, 1) * uniform(0.9, 1.1, count, 3, 1, 1)
    images = images + uniform(-0.06, 0.06, count, 1, 1, 1)
    images = functional.grid_sample(images, _askew(uniform, count, images), "bilinear", "border", align_corners=False)
    coarse = uniform(0, 1, count) < 0.2
    if bool(coarse.any()):
        share = float(uniform(0.35, 0.8, 1))
        small = functional.interpolate(images[coarse], scale_factor=share, mode="area")
        images[coarse] = functional.interpolate(small, size=images.shape[2:], mode="bilinear", align_corners=False)
    images = images + torch.randn(images.shape, generator=generator) * uniform(0, 0.025, count, 1, 1, 1)
    return images.clamp(0, 1)


def _askew(uniform: Callable[..., Tensor], count: int, images: Tensor) -> Tensor:
    """Sampling grids that move, stretch, turn a little, and turn half of the crops end for end."""
    height, width = images.shape[2:]
    angle, end = uniform(-0.06, 0.06, count), torch.where(uniform(0, 1, count) < 0.5, 1.0, -1.0)
    sx, sy = (end * uniform(0.93, 1.07, count) for _ in range(2))
    cos, sin = torch.cos(angle), torch.sin(angle)
    rows = [
        torch.stack([sx * cos, -sy * sin * height / width, uniform(-0.05, 0.05, count)], dim=1),
        torch.stack([sx * sin * width / height, sy * cos, uniform(-0.05, 0.05, count)], dim=1),
    ]
    grid: Tensor = functional.affine_grid(torch.stack(rows, dim=1), list(images.shape), align_corners=False)
    return grid


def reading_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross entropies of what is known of each crop."""
    ranks, suits, sides, pair = logits.split([len(RANKS), len(SUITS), len(SIDES), 1], dim=1)
    out = functional.cross_entropy(ranks, labels[:, 0], ignore_index=-1, label_smoothing=0.02)
    out = out + 0.3 * functional.cross_entropy(suits, labels[:, 1], ignore_index=-1, label_smoothing=0.02)
    out = out + functional.cross_entropy(sides, labels[:, 2])
    known = labels[:, 3] >= 0
    return out + functional.binary_cross_entropy_with_logits(pair[known, 0], labels[known, 3].float())


def train(course: Course, pools: list[CropPool], start: Path | None, out: Path) -> None:
    """Trains on all pools together and writes the weights to `out`."""
    generator = torch.Generator().manual_seed(course.seed)

    def loss_of(network: nn.Module, images: Tensor, labels: Tensor) -> Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            logits = network(vary(images, generator).contiguous(memory_format=torch.channels_last))
        return reading_loss(logits.float(), labels)

    every = np.arange(sum(len(pool.labels) for pool in pools))
    learn(course, begun(ReaderNetwork, course.seed, start), (pools, every), out, loss_of)


def begun(make: Callable[[], nn.Module], seed: int, start: Path | None) -> nn.Module:
    """A network to be trained, with the weights in `start` if there are any."""
    torch.manual_seed(seed)
    network = make().to(memory_format=torch.channels_last)
    if start is not None:
        network.load_state_dict(torch.load(start, map_location="cpu", weights_only=True))
    return network


def learn(
    course: Course,
    network: nn.Module,
    crops: tuple[list[CropPool], np.ndarray],
    out: Path,
    loss_of: Callable[[nn.Module, Tensor, Tensor], Tensor],
) -> None:
    """Trains a network for a course and writes its weights to `out` after each epoch.

    Args:
        course: how long, how fast.
        network: as it begins.
        crops: the pools, and which of their crops to learn from, counted through all of them, (N,).
        out: the file of the weights.
        loss_of: the loss of the network on images (N, 3, 128, 96) 0..1 and labels (N, 4).
    """
    torch.set_num_threads(2)
    optimizer = torch.optim.AdamW(network.parameters(), lr=course.rate, weight_decay=course.decay)
    pools, chosen = crops
    starts = np.cumsum([0, *(len(pool.labels) for pool in pools)])
    steps_of_epoch = len(chosen) // BATCH
    steps, step, began = course.epochs * steps_of_epoch, 0, time.monotonic()
    shuffle = np.random.default_rng(course.seed)
    for epoch in range(course.epochs):
        network.train()
        order, total = shuffle.permutation(chosen), 0.0
        for first in range(0, steps_of_epoch * BATCH, BATCH):
            images, labels = gather(pools, starts, np.sort(order[first : first + BATCH]))
            step += 1
            for group in optimizer.param_groups:
                falling = course.last + (1 - course.last) * (1 + math.cos(math.pi * step / steps)) / 2
                group["lr"] = course.rate * min(1, step / 200) * falling
            loss = loss_of(network, images, labels)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
            optimizer.step()
            total += float(loss.detach())
            if step % 100 == 0:
                say(f"step {step}/{steps} {step * BATCH / (time.monotonic() - began):.0f} crops/s")
        speed = step * BATCH / (time.monotonic() - began)
        say(f"{out.stem} epoch {epoch + 1}/{course.epochs} loss {total / steps_of_epoch:.4f}  {speed:.0f} crops/s")
        torch.save(network.state_dict(), out)


def gather(pools: list[CropPool], starts: np.ndarray, indices: np.ndarray) -> tuple[Tensor, Tensor]:
    """The crops at global `indices` as a batch (N, 3, 128, 96) 0..1 and its labels."""
    images, labels = [], []
    for pool, first, last in zip(pools, starts[:-1], starts[1:], strict=True):
        own = indices[(indices >= first) & (indices < last)] - first
        images.append(pool.images[own])
        labels.append(pool.labels[own])
    batch = torch.from_numpy(np.concatenate(images)).permute(0, 3, 1, 2).float() / 255
    return batch, torch.from_numpy(np.concatenate(labels))


@torch.no_grad()
def outputs(network: nn.Module, pool: CropPool) -> Tensor:
    """Logits of a whole pool, (N, 21)."""
    network.eval()
    rows = []
    for first in range(0, len(pool.labels), 256):
        part = torch.from_numpy(pool.images[first : first + 256]).permute(0, 3, 1, 2).float() / 255
        rows.append(network(part))
    return torch.cat(rows)


def calibrate(logits: Tensor, labels: Tensor) -> tuple[float, float]:
    """The temperature that makes the ranks' confidence honest, and the least confidence that gives `PRECISION`."""
    faces = labels[:, 0] >= 0
    ranks, truth = logits[faces, : len(RANKS)], labels[faces, 0]
    grid = np.exp(np.linspace(np.log(0.4), np.log(4), 60))
    temperature = float(min(grid, key=lambda t: float(functional.cross_entropy(ranks / t, truth))))
    confidence = _confidence(logits, temperature)[faces]
    right = (ranks.argmax(1) == truth).double()
    order = torch.argsort(-confidence)
    precision = right[order].cumsum(0) / torch.arange(1, len(order) + 1)
    good = torch.nonzero(precision >= PRECISION)
    least = float(confidence[order][int(good.max())]) if len(good) else 1.0
    return temperature, max(least, 0.6)


def _confidence(logits: Tensor, temperature: float) -> Tensor:
    ranks = (logits[:, : len(RANKS)] / temperature).softmax(1).amax(1)
    first = len(RANKS) + len(SUITS)
    return ranks * logits[:, first : first + len(SIDES)].softmax(1)[:, 0]


def figures(logits: Tensor, labels: Tensor, temperature: float, least: float) -> dict[str, float]:
    """The rank's accuracy, precision and share of answers, side accuracy, and pair errors, on a pool."""
    faces = labels[:, 0] >= 0
    right = logits[:, : len(RANKS)].argmax(1) == labels[:, 0]
    answers = faces & (_confidence(logits, temperature) >= least)
    first = len(RANKS) + len(SUITS)
    sides = logits[:, first : first + len(SIDES)].argmax(1) == labels[:, 2]
    known, pair = labels[:, 3] >= 0, logits[:, -1].sigmoid() > 0.5
    two, one = known & (labels[:, 3] == 1), known & (labels[:, 3] == 0)
    return {
        "crops": float(len(labels)),
        "faces": float(faces.sum()),
        "rank_accuracy": float(right[faces].double().mean()),
        "answers": float(answers.sum() / faces.sum()),
        "precision_of_answers": float(right[answers].double().mean()),
        "side_accuracy": float(sides.double().mean()),
        "pairs_found": float(pair[two].double().mean()),
        "singles_called_pairs": float(pair[one].double().mean()),
    }


def restored(weights: Path) -> ReaderNetwork:
    """The network with stored weights, ready to run."""
    network = ReaderNetwork()
    network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
    return network.eval()


def figures_of(network: nn.Module, pool: CropPool, temperature: float, least: float) -> dict[str, float]:
    """The figures of a network on a pool, rounded."""
    found = figures(outputs(network, pool), torch.from_numpy(pool.labels), temperature, least)
    return {name: round(value, 4) for name, value in found.items()}


def export(network: nn.Module, path: Path, calibration: list[CropPool], papers: dict[str, str]) -> tuple[float, float]:
    """Calibrates on pools that were not trained on and writes models/reader.onnx, with its `papers` among its notes.

    Returns:
        The temperature and the least confidence.
    """
    logits = torch.cat([outputs(network, pool) for pool in calibration])
    labels = torch.cat([torch.from_numpy(pool.labels) for pool in calibration])
    temperature, least = calibrate(logits, labels)
    notes = {
        "ranks": list(RANKS),
        "suits": list(SUITS),
        "sides": list(SIDES),
        "temperature": temperature,
        "least_confidence": least,
        **papers,
    }
    example = torch.zeros(2, 3, CROP_HEIGHT_PX, CROP_WIDTH_PX)
    write_onnx(network, example, path, outputs=["logits"], moving={0: "batch"}, notes=notes)
    return temperature, least
