"""The oriented detector's loss, for labels that know less than everything.

Two additions to Ultralytics' oriented loss. A picture's `known` mask takes the classes that its source does not
label out of the classification loss. A thing of which only the axis-aligned hull is known pulls at the hull of the
prediction and leaves its angle alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from ultralytics.utils.loss import v8OBBLoss
from ultralytics.utils.metrics import probiou
from ultralytics.utils.tal import make_anchors, rbox2dist

BOX_GAIN, CLASS_GAIN, DISTANCE_GAIN, ANGLE_GAIN = 7.5, 0.7, 1.5, 1.0


@dataclass(slots=True)
class Targets:
    """The labels of a batch, padded to the same number of things a picture.

    Attributes:
        cls: (B, M, 1); boxes: (B, M, 5) centre, sides, angle in pixels and radians; real: (B, M, 1) 1 where there is
        a thing; hull: (B, M) where only the hull is known; known: (B, 1, classes) 1 where the class is labelled.
    """

    cls: Tensor
    boxes: Tensor
    real: Tensor
    hull: Tensor
    known: Tensor


def hulls(boxes: Tensor) -> Tensor:
    """Axis-aligned hulls (N, 4) x0, y0, x1, y1 of oriented boxes (N, 5)."""
    x, y, width, height, angle = boxes.unbind(-1)
    cos, sin = angle.cos().abs(), angle.sin().abs()
    half_x, half_y = (width * cos + height * sin) / 2, (width * sin + height * cos) / 2
    return torch.stack([x - half_x, y - half_y, x + half_x, y + half_y], dim=-1)


def hull_loss(predicted: Tensor, target: Tensor) -> Tensor:
    """1 - generalised IoU of the hulls of two sets of oriented boxes (N, 5), (N,)."""
    a, b = hulls(predicted), hulls(target)
    inner = (torch.minimum(a[:, 2:], b[:, 2:]) - torch.maximum(a[:, :2], b[:, :2])).clamp(min=0).prod(-1)
    outer = (torch.maximum(a[:, 2:], b[:, 2:]) - torch.minimum(a[:, :2], b[:, :2])).prod(-1)
    union = (a[:, 2:] - a[:, :2]).prod(-1) + (b[:, 2:] - b[:, :2]).prod(-1) - inner
    return 1 - inner / (union + 1e-7) + (outer - union) / (outer + 1e-7)


@dataclass(slots=True)
class Found:
    """The network's boxes at every anchor: raw side distances, decoded boxes (B, A, 5), anchor points (A, 2)."""

    distances: Tensor
    boxes: Tensor
    points: Tensor


@dataclass(slots=True)
class Goal:
    """What each anchor should say: boxes (B, A, 5) and their weight (B, A); `total` is the sum of all weights.

    `chosen` (B, A) is true where an anchor has a thing to say, `hull` where only that thing's hull is known.
    """

    boxes: Tensor
    weight: Tensor
    chosen: Tensor
    hull: Tensor
    total: Tensor


class MaskedLoss(v8OBBLoss):
    """Call with the head's raw outputs and `Targets`; returns the sum to minimise and its four parts."""

    def __call__(self, raw: dict[str, Tensor], targets: Targets) -> tuple[Tensor, Tensor]:
        """The loss, and (box, class, distance, angle) for the log."""
        distances, scores, angle = (raw[key].permute(0, 2, 1).float() for key in ("boxes", "scores", "angle"))
        points, strides = make_anchors(raw["feats"], self.stride, 0.5)
        found = Found(distances, self.bbox_decode(points, distances, angle), points)
        in_pixels = torch.cat([found.boxes.detach()[..., :4] * strides, found.boxes.detach()[..., 4:]], dim=-1)
        _, boxes, wanted, chosen, index = self.assigner(
            scores.detach().sigmoid(), in_pixels, points * strides, targets.cls, targets.boxes, targets.real
        )
        total = wanted.sum().clamp(min=1)
        entropy = nn.functional.binary_cross_entropy_with_logits(scores, wanted.float(), reduction="none")
        class_loss = (entropy * targets.known).sum() / total
        boxes = torch.cat([boxes[..., :4] / strides, boxes[..., 4:]], dim=-1)
        goal = Goal(boxes, wanted.sum(-1), chosen, targets.hull.gather(1, index), total)
        box, distance, turn = self._boxes(found, goal)
        loss = BOX_GAIN * box + CLASS_GAIN * class_loss + DISTANCE_GAIN * distance + ANGLE_GAIN * turn
        return loss * len(scores), torch.stack([box, class_loss, distance, turn]).detach()

    def _boxes(self, found: Found, goal: Goal) -> tuple[Tensor, Tensor, Tensor]:
        """Box, distance and angle loss of the chosen anchors; of hulls only the box loss."""
        whole, boxed = goal.chosen & ~goal.hull, goal.chosen & goal.hull
        nothing = found.boxes.sum() * 0
        box = (hull_loss(found.boxes[boxed], goal.boxes[boxed]) * goal.weight[boxed]).sum() / goal.total + nothing
        if not whole.any():
            return box, nothing, nothing
        weight = goal.weight[whole]
        near = probiou(found.boxes[whole], goal.boxes[whole]).squeeze(-1)
        box = box + ((1 - near) * weight).sum() / goal.total
        sides = rbox2dist(goal.boxes[..., :4], found.points, goal.boxes[..., 4:5], reg_max=self.reg_max - 1)
        off = self.bbox_loss.dfl_loss(found.distances[whole].view(-1, self.reg_max), sides[whole]).squeeze(-1)
        distance = (off * weight).sum() / goal.total
        return box, distance, self.calculate_angle_loss(found.boxes, goal.boxes, whole, weight, goal.total)
