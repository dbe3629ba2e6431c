"""The reader's second look: the corners of a card alone, where its index is printed.

Pips are laid out as a deck's artist liked; an eight of four rows or a nine with its odd pip out of the middle looks
more like a ten than like the eights and nines that were learnt from. An index is a figure or a letter. A small network
that sees nothing but the four corners cannot be misled by what lies between them. What both looks say is added, each
with a weight of its own, found on crops that neither was trained on.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.train.croppool import CropPool
from models.train.reader import ReaderNetwork, Residual, begun, block, learn, outputs, vary
from models.train.reader import restored as whole_look
from models.train.recipe import Course
from vision.read import RANKS

#: A corner of the crop (128 x 96 px, a margin of 6 %): a third of the card each way.
HEIGHT_PX, WIDTH_PX = 44, 32
#: In so many crops another one's pips are shown, from so far from the side on, in pixels.
MIXED, STRIP_PX = 0.5, (16, 27)
#: Weights of the two looks that are tried.
GRID = tuple(np.round(np.exp(np.linspace(np.log(0.2), np.log(2.0), 13)), 3).tolist())


def corners(images: Tensor) -> Tensor:
    """The four corners of each crop, (4 N, 3, 44, 32), turned so that an index stands upright, unless it is mirrored.

    Of a card that lies end for end, and of one in a mirrored picture, another corner shows the same.
    """
    upper, lower = images[:, :, :HEIGHT_PX], images[:, :, -HEIGHT_PX:].flip(2)
    return torch.cat(
        [
            upper[:, :, :, :WIDTH_PX],
            lower[:, :, :, -WIDTH_PX:].flip(3),
            upper[:, :, :, -WIDTH_PX:].flip(3),
            lower[:, :, :, :WIDTH_PX],
        ]
    )


def mixed(seen: Tensor, generator: torch.Generator) -> Tensor:
    """The corners with, in some of the crops, other crops' pips in place of their own: all but a strip at the side."""
    count = len(seen) // 4
    other = torch.randperm(count, generator=generator)
    some = torch.rand(count, generator=generator) < MIXED
    edge = torch.randint(*STRIP_PX, (count,), generator=generator)
    beside = torch.arange(WIDTH_PX)[None, :] >= edge[:, None]
    take = (some[:, None] & beside).repeat(4, 1)[:, None, None, :]
    others = torch.cat([part[other] for part in seen.chunk(4)])
    return torch.where(take, others, seen)


class IndexNetwork(nn.Module):
    """(N, 3, 128, 96) BGR 0..1 to logits of the ranks, (N, 13): the sum of what each corner says."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            block(3, 16), block(16, 32, 2), Residual(32), block(32, 64, 2), Residual(64), block(64, 24)
        )
        cells = (HEIGHT_PX // 4) * (WIDTH_PX // 4)
        self.head = nn.Sequential(
            nn.Dropout(0.2), nn.Linear(24 * cells, 96), nn.SiLU(inplace=True), nn.Dropout(0.2),
            nn.Linear(96, len(RANKS)),
        )  # fmt: skip

    def forward(self, images: Tensor) -> Tensor:
        """The logits."""
        return self.of_corners(corners(images))

    def of_corners(self, seen: Tensor) -> Tensor:
        """The logits of crops whose corners, (4 N, 3, 44, 32), these are."""
        said: Tensor = self.head(self.body(seen - 0.5).flatten(1))
        return said.view(4, -1, len(RANKS)).sum(dim=0)


class BothLooks(nn.Module):
    """The reader with its second look: (N, 3, 128, 96) to logits (N, 21), those of the ranks weighted and added."""

    def __init__(self, whole: ReaderNetwork, index: IndexNetwork, weights: tuple[float, float]) -> None:
        super().__init__()
        self.whole, self.index, self.weights = whole, index, weights

    def forward(self, images: Tensor) -> Tensor:
        """The logits."""
        said = self.whole(images)
        ranks = self.weights[0] * said[:, : len(RANKS)] + self.weights[1] * self.index(images)
        return torch.cat([ranks, said[:, len(RANKS) :]], dim=1)


def train(course: Course, pools: list[CropPool], start: Path | None, out: Path, *, mix: bool) -> None:
    """Trains on the faces of all pools together and writes the weights to `out`.

    `mix`: shows other cards' pips beside some of the indices, so that the index alone is gone by.
    """
    generator = torch.Generator().manual_seed(course.seed)

    def loss_of(network: nn.Module, images: Tensor, labels: Tensor) -> Tensor:
        seen = corners(vary(images, generator))
        seen = mixed(seen, generator) if mix else seen
        assert isinstance(network, IndexNetwork)
        with torch.autocast("cpu", torch.bfloat16):
            logits = network.of_corners(seen.contiguous(memory_format=torch.channels_last))
        return functional.cross_entropy(logits.float(), labels[:, 0], label_smoothing=0.02)

    faces = np.flatnonzero(np.concatenate([pool.labels[:, 0] for pool in pools]) >= 0)
    learn(course, begun(IndexNetwork, course.seed, start), (pools, faces), out, loss_of)


def restored(weights: Path) -> IndexNetwork:
    """The network with stored weights, ready to run."""
    network = IndexNetwork()
    network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
    return network.eval()


@torch.no_grad()
def both_looks(whole: Path, index: Path, calibration: list[CropPool]) -> BothLooks:
    """The reader with both looks, weighed so that the ranks of `calibration`, not trained on, become likeliest."""
    first, second = whole_look(whole), restored(index)
    truth = torch.cat([torch.from_numpy(pool.labels[:, 0]) for pool in calibration])
    faces = truth >= 0
    said = torch.cat([outputs(first, pool) for pool in calibration])[faces, : len(RANKS)]
    read = torch.cat([outputs(second, pool) for pool in calibration])[faces]
    tried = [(a, b) for a in GRID for b in GRID]
    best = min(tried, key=lambda w: float(functional.cross_entropy(w[0] * said + w[1] * read, truth[faces])))
    return BothLooks(first, second, best).eval()
