"""Every key's line is found."""

from __future__ import annotations

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from calibration.lines import json_lines, toml_lines
from calibration.toml_text import document_text

TEXT = '''\
# a = 1
"quoted key" = 1
a.b."c.d" = """
x = 1
[y]
""" # after
lit = 'C:\\'
[one.two]
list = [ # comment ]
  1, [2,
  3], { k = "}" , m = [
  4 ] }
]
[[three]]
x = 1
[[three]]
x = 2
[three.inner]
y = 1979-05-27T07:32:00Z
'''


def test_toml() -> None:
    assert tomllib.loads(TEXT)
    lines = toml_lines(TEXT)
    assert lines[("quoted key",)] == 2
    assert lines[("a", "b", "c.d")] == 3
    assert lines[("lit",)] == 7
    assert lines[("one", "two")] == 8
    assert lines[("one", "two", "list", 0)] == 10
    assert lines[("one", "two", "list", 1, 1)] == 11
    assert lines[("one", "two", "list", 2, "k")] == 11
    assert lines[("one", "two", "list", 2, "m", 0)] == 12
    assert lines[("three", 0, "x")] == 15
    assert lines[("three", 1, "x")] == 17
    assert lines[("three", 1, "inner", "y")] == 19


def test_json() -> None:
    lines, repeated = json_lines('{\n "a": [1,\n {"b": "]\\"}"}],\n "c": null, "a": 2}')
    assert lines[("a",)] == 2
    assert lines[("a", 1, "b")] == 3
    assert lines[("c",)] == 4
    assert repeated == [(("a",), 4)]


plain = st.recursive(
    st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=6), plain, max_size=5))
def test_toml_that_is_written_is_read_back_and_every_key_has_a_line(keys: dict[str, object]) -> None:
    text = document_text(keys)
    assert tomllib.loads(text) == keys
    found = {path[0] for path in toml_lines(text)}
    # Keys with escapes are noted as they are written.
    assert {key for key in keys if key.isalnum()} <= found
