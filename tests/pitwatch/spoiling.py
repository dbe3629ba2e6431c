"""A model file made worse without any library for it: the weights of some layers become nought."""

from __future__ import annotations

from collections.abc import Iterator

#: Fields of ONNX's messages: a model's graph, a graph's constant, a constant's name and its numbers.
GRAPH, INITIALIZER, NAME, RAW = 7, 5, 8, 9
LENGTH_GIVEN, VARINT = 2, 0
FIXED_BYTES = {1: 8, 5: 4}


def spoilt(model: bytes, layer: str) -> bytes:
    """The model with nought for every number in the constants whose name holds `layer`."""
    out = bytearray(model)
    count = 0
    for graph in _fields(model, 0, len(model), GRAPH):
        for tensor in _fields(model, *graph, INITIALIZER):
            (name,) = _fields(model, *tensor, NAME)
            if layer in model[slice(*name)].decode():
                for start, end in _fields(model, *tensor, RAW):
                    out[start:end] = bytes(end - start)
                    count += 1
    assert count, f"no constant of {layer}"
    return bytes(out)


def _fields(data: bytes, at: int, end: int, wanted: int) -> Iterator[tuple[int, int]]:
    """Where the values of a message's field begin and end."""
    while at < end:
        key, at = _varint(data, at)
        kind = key & 7
        if kind == VARINT:
            _, at = _varint(data, at)
        elif kind == LENGTH_GIVEN:
            size, at = _varint(data, at)
            if key >> 3 == wanted:
                yield at, at + size
            at += size
        else:
            at += FIXED_BYTES[kind]


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            return value, at
