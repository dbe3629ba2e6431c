"""From the ideal picture to the one that a recorder keeps: glare, blur, the sensor, noise, compression."""

from __future__ import annotations

from typing import Any

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from faults import Fault
from sample_videos.studio.exposure import Exposure
from sample_videos.studio.scene import Sensor
from sample_videos.studio.stills.still import Finish

Image = NDArray[np.uint8]


class CodecFault(Fault):
    """A picture that the encoder did not take."""


def finished(picture: Image, sensor: Sensor, finish: Finish) -> Image:
    """The picture (H, W, 3) BGR as it is kept. The same finish gives the same picture."""
    out = _glare(picture, finish)
    if finish.defocus_px > 0:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), finish.defocus_px), np.uint8)
    if finish.smear_px > 1:
        out = _smear(out, finish)
    out = Exposure(sensor, (out.shape[1], out.shape[0]), seed=finish.seed).expose(out)
    out = _noise(out, finish)
    return h264(out, finish.quality) if finish.codec == "h264" else _jpeg(out, finish.quality)


def _glare(picture: Image, finish: Finish) -> Image:
    """Soft bright spots where lamps are mirrored in what is smooth."""
    if not finish.glare:
        return picture.copy()
    height, width = picture.shape[:2]
    small = np.zeros((height // 8, width // 8), np.float32)
    rows, columns = np.mgrid[0 : small.shape[0], 0 : small.shape[1]].astype(np.float32)
    for x, y, radius, strength in finish.glare:
        reach = radius * small.shape[1]
        away = ((columns - x * small.shape[1]) ** 2 + (rows - y * small.shape[0]) ** 2) / reach**2
        small += strength * np.exp(-away)
    light = cv2.resize(np.clip(small, 0, 255), (width, height), interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    return np.asarray(cv2.add(picture, cv2.cvtColor(light, cv2.COLOR_GRAY2BGR)), np.uint8)


def _smear(picture: Image, finish: Finish) -> Image:
    """The picture drawn out along a line, as where everything moves."""
    size = int(finish.smear_px) | 1
    kernel = np.zeros((size, size), np.float32)
    reach = np.array([np.cos(finish.smear_angle), np.sin(finish.smear_angle)]) * (size // 2)
    first, last = (np.rint(size // 2 + side * reach).astype(int).tolist() for side in (-1, 1))
    cv2.line(kernel, tuple(first), tuple(last), 1.0)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)


def _noise(picture: Image, finish: Finish) -> Image:
    """Mostly grey noise with a little colour in it."""
    if finish.noise_sigma <= 0:
        return picture
    height, width = picture.shape[:2]
    rng = np.random.default_rng([finish.seed, 78])
    tile = rng.normal(0, finish.noise_sigma, (256, 256)).astype(np.float32)
    grey = np.tile(tile, (-(-height // 256), -(-width // 256)))[:height, :width]
    field = np.repeat(np.round(grey).astype(np.int16)[:, :, None], 3, axis=2)
    return np.asarray(cv2.add(picture, field, dtype=cv2.CV_8U), np.uint8)


def _jpeg(picture: Image, quality: int) -> Image:
    flags = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420]
    done, data = cv2.imencode(".jpg", picture, flags)
    if not done:
        raise CodecFault(
            "a picture cannot be compressed", where="the studio's still lifes", why=f"its shape is {picture.shape}",
            todo="Give a camera at least one pixel wide and high.",
        )  # fmt: skip
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def h264(picture: Image, rate_factor: int) -> Image:
    """The picture through H.264 at a constant rate factor, as a recorder's key frame."""
    height, width = picture.shape[0] // 2 * 2, picture.shape[1] // 2 * 2
    encoder: Any = av.CodecContext.create("libx264", "w")
    encoder.width, encoder.height, encoder.pix_fmt = width, height, "yuv420p"
    encoder.framerate = 25
    encoder.options = {"preset": "superfast", "tune": "zerolatency", "crf": str(rate_factor)}
    planes = np.asarray(cv2.cvtColor(picture[:height, :width], cv2.COLOR_BGR2YUV_I420), np.uint8)
    packets = [*encoder.encode(av.VideoFrame.from_ndarray(planes, format="yuv420p")), *encoder.encode(None)]
    decoder: Any = av.CodecContext.create("h264", "r")
    frames = [frame for packet in (*packets, None) for frame in decoder.decode(packet)]
    kept = cv2.cvtColor(frames[0].to_ndarray(format="yuv420p"), cv2.COLOR_YUV2BGR_I420)
    return np.asarray(
        cv2.copyMakeBorder(kept, 0, picture.shape[0] - height, 0, picture.shape[1] - width, cv2.BORDER_REPLICATE),
        np.uint8,
    )
