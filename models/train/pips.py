"""The reader of dice: a small convolutional network, what it learns from, its training and its calibration.

It learns from the dice of the `train` photographs, turned and coloured by chance, from drawn dice, and, as no dice,
from patches of photographs. The source has no `valid` split: the last fifth of its `train` photographs is kept for the
calibration instead.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.train.drawn_dice import Image, Random, drawn_die
from models.train.export import write_onnx
from models.train.photographs import rows_of
from models.train.say import say
from vision.pips import AROUND, PIPS, SIDE_PX, die_crop

#: A patch around a die; the die's box takes half of its side.
PATCH_PX = 96
NONE = PIPS.index("none")
#: Share of the photographs that is learned from; the rest calibrates.
LEARNED = 0.8
DRAWN, NEGATIVES = 3000, 1000
BATCH = 128
#: Shares of a batch that are photographed and drawn dice; the rest is no dice.
PHOTOGRAPHED, DRAWN_SHARE = 0.5, 0.38
#: Precision that the reader must have where it answers.
PRECISION = 0.995


#: A photograph, a die's box in it (4,), and its pips; and a crop with its pips.
Die = tuple[Image, NDArray[np.float64], int]
Kept = tuple[Image, int]


@dataclass(frozen=True, slots=True)
class Course:
    """How long and how fast it learns."""

    steps: int
    rate: float
    seed: int


COURSE = Course(steps=700, rate=2.5e-3, seed=11)
#: Sides in pixels of the crops that calibrate it; the die takes most of one.
CALIBRATED_PX = (SIDE_PX, 28, 18)


class PipNetwork(nn.Module):
    """(N, 3, 48, 48) BGR 0..1 to logits (N, 7)."""

    def __init__(self) -> None:
        super().__init__()
        sizes = [(3, 16, 2), (16, 32, 1), (32, 48, 2), (48, 48, 1), (48, 64, 2), (64, 64, 1)]
        layers: list[nn.Module] = []
        for inputs, outputs, stride in sizes:
            conv = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
            layers += [conv, nn.BatchNorm2d(outputs), nn.SiLU(inplace=True)]
        self.body = nn.Sequential(*layers)
        self.head = nn.Sequential(nn.Dropout(0.2), nn.Linear(2 * 64, len(PIPS)))

    def forward(self, images: Tensor) -> Tensor:
        """The logits; pips are counted by what is everywhere and by what is strongest."""
        found = self.body(images - 0.5)
        return self.head(torch.cat([found.mean(dim=(2, 3)), found.amax(dim=(2, 3))], dim=1))


class EveryWay(nn.Module):
    """The mean of a network's logits on a crop turned by right angles and mirrored: pips are the same either way."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, images: Tensor) -> Tensor:
        """The logits."""
        both = (images, images.transpose(2, 3))
        ways = [image.flip(axes) if axes else image for image in both for axes in ((), (2,), (3,), (2, 3))]
        return torch.stack([self.network(way) for way in ways]).mean(dim=0)


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """Patches (N, 96, 96, 3) BGR and the index (N,) of what their middle shows."""

    images: Image
    labels: NDArray[np.int64]


def photographed(data: Path, split: str) -> list[list[Die]]:
    """For each photograph of `split` its dice: the photograph, the box and the pips."""
    out = []
    for row in rows_of(data / "dice", split):
        image = np.asarray(cv2.imread(str(data / "dice" / "images" / row["image"])), np.uint8)
        out.append([(image, np.array(thing["box"], np.float64), int(thing["pips"])) for thing in row["objects"]])
    return out


def _patch(image: Image, box: NDArray[np.float64]) -> Image:
    """The surroundings of a box, twice its longer side."""
    middle, side = (box[:2] + box[2:]) / 2, float((box[2:] - box[:2]).max())
    scale = PATCH_PX / (2 * side)
    matrix = np.array([[scale, 0, 0], [0, scale, 0]])
    matrix[:, 2] = PATCH_PX / 2 - scale * middle
    size = (PATCH_PX, PATCH_PX)
    return np.asarray(cv2.warpAffine(image, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _empty(rng: Random, image: Image, boxes: NDArray[np.float64]) -> Image | None:
    """A patch by chance whose middle holds none of the boxes (N, 4); None where the try fell on one."""
    side = rng.uniform(24, 70)
    middle = rng.uniform(side, np.array(image.shape[1::-1]) - side)
    low, high = middle - side / 2, middle + side / 2
    if len(boxes) and bool(((boxes[:, :2] < high) & (boxes[:, 2:] > low)).all(axis=1).any()):
        return None
    return _patch(image, np.concatenate([low, high]))


def negatives(rng: Random, data: Path, dice: list[list[Die]]) -> Image:
    """Patches that show no die: of the photographs of dice, and of cards, whose pips are no die's."""
    pictures = [(own[0][0], np.array([box for _, box, _ in own])) for own in dice if own]
    for row in rows_of(data / "cards_poker4", "train")[::6]:
        image = np.asarray(cv2.imread(str(data / "cards_poker4" / "images" / row["image"])), np.uint8)
        pictures.append((image, np.zeros((0, 4))))
    out: list[Image] = []
    while len(out) < NEGATIVES:
        image, boxes = pictures[int(rng.integers(len(pictures)))]
        patch = _empty(rng, image, boxes)
        if patch is not None:
            out.append(patch)
    return np.stack(out)


def gathered(data: Path, seed: int) -> tuple[Patches, Patches, Patches, list[Kept]]:
    """Photographed, drawn and no dice to learn from, and the crops kept for the calibration with their pips."""
    rng = np.random.default_rng(seed)
    pictures = photographed(data, "train")
    cut = round(LEARNED * len(pictures))
    learned = [die for own in pictures[:cut] for die in own]
    real = Patches(
        np.stack([_patch(image, box) for image, box, _ in learned]), np.array([pips - 1 for *_, pips in learned])
    )
    grounds = negatives(rng, data, pictures[:cut])
    numbers = rng.integers(1, 7, DRAWN)
    drawn = Patches(
        np.stack([drawn_die(rng, _ground(rng, grounds), int(pips)) for pips in numbers]), numbers.astype(np.int64) - 1
    )
    nothing = Patches(grounds, np.full(len(grounds), NONE, np.int64))
    kept = [(die_crop(image, box), pips) for own in pictures[cut:] for image, box, pips in own]
    say(f"dice: {len(learned)} photographed, {DRAWN} drawn, {len(grounds)} patches without, {len(kept)} kept")
    return real, drawn, nothing, kept


def _ground(rng: Random, grounds: Image) -> Image:
    """What a drawn die lies on: a patch, or one colour, which felt nearly is."""
    if rng.random() < 0.5:
        return np.asarray(grounds[int(rng.integers(len(grounds)))])
    rough = rng.normal(0, 4, (PATCH_PX, PATCH_PX, 1)) + rng.uniform(0, 230, 3)
    return np.clip(rough, 0, 255).astype(np.uint8)


def vary(patches: Tensor, generator: torch.Generator) -> Tensor:
    """Crops (N, 3, 48, 48) of patches (N, 3, 96, 96) 0..1: turned, moved, coloured, blurred, with noise."""
    count = len(patches)

    def uniform(low: float, high: float, *shape: int) -> Tensor:
        return torch.empty(shape).uniform_(low, high, generator=generator)

    turn, flip = uniform(0, 2 * math.pi, count), torch.where(uniform(0, 1, count) < 0.5, 1.0, -1.0)
    scale = AROUND / 2 * torch.exp(uniform(-0.16, 0.22, count))
    cos, sin = torch.cos(turn) * scale, torch.sin(turn) * scale
    moved = torch.randn((2, count), generator=generator) * 0.035
    rows = [torch.stack([cos * flip, -sin, moved[0]], dim=1), torch.stack([sin * flip, cos, moved[1]], dim=1)]
    grid = functional.affine_grid(torch.stack(rows, dim=1), [count, 3, SIDE_PX, SIDE_PX], align_corners=False)
    images = functional.grid_sample(patches, grid, "bilinear", "border", align_corners=False)
    if float(uniform(0, 1, 1)) < 0.5:  # the colours exchanged
        images = images[:, torch.randperm(3, generator=generator)]
    images = images.clamp(1e-3, 1) ** torch.exp(uniform(-0.4, 0.4, count, 1, 1, 1))
    images = images * uniform(0.6, 1.3, count, 1, 1, 1) * uniform(0.85, 1.15, count, 3, 1, 1)
    negative = uniform(0, 1, count) < 0.1
    images[negative] = 1 - images[negative]
    coarse = uniform(0, 1, count) < 0.45
    if bool(coarse.any()):
        small = functional.interpolate(images[coarse], size=int(uniform(11, 34, 1)), mode="area")
        images[coarse] = functional.interpolate(small, size=(SIDE_PX, SIDE_PX), mode="bilinear", align_corners=False)
    images = images + torch.randn(images.shape, generator=generator) * uniform(0, 0.03, count, 1, 1, 1)
    return images.clamp(0, 1)


def train(course: Course, data: Path, start: Path | None, out: Path) -> list[Kept]:
    """Trains the reader of dice, writes its weights to `out`, and returns the crops kept for the calibration.

    `start` are the weights to begin with; without them it begins anew.
    """
    torch.manual_seed(course.seed)
    generator = torch.Generator().manual_seed(course.seed)
    rng = np.random.default_rng(course.seed)
    real, drawn, nothing, kept = gathered(data, course.seed)
    counts = [round(BATCH * PHOTOGRAPHED), round(BATCH * DRAWN_SHARE)]
    counts.append(BATCH - sum(counts))
    network = PipNetwork().to(memory_format=torch.channels_last)
    if start is not None:
        network.load_state_dict(torch.load(start, map_location="cpu", weights_only=True))
    optimizer = torch.optim.AdamW(network.parameters(), lr=course.rate, weight_decay=0.02)
    began, total = time.monotonic(), 0.0
    network.train()
    for step in range(1, course.steps + 1):
        images, labels = _batch(rng, zip((real, drawn, nothing), counts, strict=True))
        for group in optimizer.param_groups:
            group["lr"] = (
                course.rate * min(1, step / 100) * (0.01 + 0.99 * (1 + math.cos(math.pi * step / course.steps)) / 2)
            )
        with torch.autocast("cpu", torch.bfloat16):
            logits = network(vary(images, generator).contiguous(memory_format=torch.channels_last))
        loss = functional.cross_entropy(logits.float(), labels, label_smoothing=0.02)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        total += float(loss.detach())
        if step % 100 == 0:
            speed = step * BATCH / (time.monotonic() - began)
            say(f"pips step {step}/{course.steps} loss {total / 100:.4f} {speed:.0f} crops/s")
            total = 0.0
    torch.save(network.state_dict(), out)
    return kept


def _batch(rng: Random, parts: zip[tuple[Patches, int]]) -> tuple[Tensor, Tensor]:
    """Some of each pool, by chance: patches (N, 3, 96, 96) 0..1 and labels."""
    images, labels = [], []
    for pool, count in parts:
        at = rng.integers(len(pool.labels), size=count)
        images.append(pool.images[at])
        labels.append(pool.labels[at])
    batch = torch.from_numpy(np.concatenate(images)).permute(0, 3, 1, 2).float() / 255
    return batch, torch.from_numpy(np.concatenate(labels))


@torch.no_grad()
def outputs(network: nn.Module, crops: list[Image]) -> Tensor:
    """Logits (N, 7) of crops."""
    network.eval()
    return network(torch.from_numpy(np.stack(crops)).permute(0, 3, 1, 2).float() / 255)


def coarser(crop: Image, side_px: int) -> Image:
    """The crop as if its die had been taken with so many pixels, box and margin together."""
    small = cv2.resize(crop, (side_px, side_px), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_LINEAR), np.uint8)


def calibrate(logits: Tensor, truth: Tensor) -> tuple[float, float]:
    """The temperature that makes the confidence honest, and the least confidence that gives `PRECISION`."""
    grid = np.exp(np.linspace(np.log(0.4), np.log(4), 60))
    temperature = float(min(grid, key=lambda t: float(functional.cross_entropy(logits / t, truth))))
    confidence, best = (logits / temperature).softmax(1)[:, :NONE].max(1)
    order = torch.argsort(-confidence)
    right = (best == truth).double()[order]
    precision = right.cumsum(0) / torch.arange(1, len(order) + 1)
    good = torch.nonzero(precision >= PRECISION)
    least = float(confidence[order][int(good.max())]) if len(good) else 1.0
    return temperature, max(least, 0.6)


def figures(logits: Tensor, truth: Tensor, temperature: float, least: float) -> dict[str, float]:
    """Accuracy, answers and their precision."""
    confidence, best = (logits / temperature).softmax(1)[:, :NONE].max(1)
    answers, right = confidence >= least, best == truth
    return {
        "dice": float(len(truth)),
        "accuracy": round(float(right.double().mean()), 4),
        "answers": round(float(answers.double().mean()), 4),
        "precision_of_answers": round(float(right[answers].double().mean()), 4),
    }


def export(
    weights: Path, path: Path, kept: list[Kept], papers: dict[str, str]
) -> tuple[float, float, dict[str, dict[str, float]]]:
    """Calibrates on the crops kept, as they are and coarser, and writes the model with its `papers` in its notes.

    Returns:
        The temperature, the least confidence, and the figures on the crops kept by their side in pixels.
    """
    trained = PipNetwork()
    trained.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
    network = EveryWay(trained).eval()
    truth = torch.tensor([pips - 1 for _, pips in kept])
    logits = {size: outputs(network, [coarser(crop, size) for crop, _ in kept]) for size in CALIBRATED_PX}
    temperature, least = calibrate(torch.cat(list(logits.values())), truth.repeat(len(CALIBRATED_PX)))
    notes = {
        "pips": list(PIPS),
        "side_px": float(SIDE_PX),
        "temperature": temperature,
        "least_confidence": least,
        **papers,
    }
    example = torch.zeros(2, 3, SIDE_PX, SIDE_PX)
    write_onnx(network, example, path, outputs=["logits"], moving={0: "batch"}, notes=notes)
    return temperature, least, {f"kept at {n} px": figures(x, truth, temperature, least) for n, x in logits.items()}
