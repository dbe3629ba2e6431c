"""The shader programs: one vertex stage for each kind of geometry, one fragment stage for each use.

Light is kept in units of displayed full scale; pictures are stored as its square root.
"""

from __future__ import annotations

from typing import Any

import numpy as np

MAX_LIGHTS = 4
MESH_FORMAT, MESH_NAMES = "3f 3f 3f 1f", ("in_pos", "in_normal", "in_colour", "in_gloss")

CAMERA = """
uniform mat3 cam_r; uniform vec3 cam_t; uniform vec4 lens_px; uniform vec2 size_px; uniform vec2 near_far;
uniform vec3 lens_k; uniform vec2 lens_p; uniform float lens_limit; uniform vec2 jitter_px;
vec4 through_lens(vec3 world) {
  vec3 c = cam_r * world + cam_t;
  float w = max(c.z, 1.0);
  vec2 x = c.xy / w;
  float r2 = min(dot(x, x), lens_limit);
  vec2 y = dot(x, x) > lens_limit ? x * sqrt(lens_limit / dot(x, x)) : x;
  float radial = 1.0 + r2 * (lens_k.x + r2 * (lens_k.y + r2 * lens_k.z));
  vec2 d = x * radial + vec2(2.0 * lens_p.x * y.x * y.y + lens_p.y * (r2 + 2.0 * y.x * y.x),
                             lens_p.x * (r2 + 2.0 * y.y * y.y) + 2.0 * lens_p.y * y.x * y.y);
  vec2 px = lens_px.xy * d + lens_px.zw + jitter_px;
  float n = near_far.x; float f = near_far.y;
  float zc = (f + n) / (f - n) * w - 2.0 * f * n / (f - n);
  return vec4(((px + 0.5) / size_px * 2.0 - 1.0) * w, c.z > 1.0 ? zc : -2.0 * w, w);
}
"""

# A lamp sees the table as its shadows fall on the felt; what is stored is the height of what casts them.
LAMP = """
uniform vec3 lamp; uniform vec4 area; out float height;
vec4 onto_felt(vec3 world) {
  height = world.z;
  float z = min(world.z, lamp.z * 0.9);
  vec2 p = (world.xy * lamp.z - lamp.xy * z) / (lamp.z - z);
  return vec4((p - area.xy) / area.zw * 2.0 - 1.0, 0.0, 1.0);
}
"""

MESH_VERTEX = """
in vec3 in_pos; in vec3 in_normal; in vec3 in_colour; in float in_gloss;
out vec3 world; out vec3 normal; out vec4 paint; out vec3 uvl; flat out uint thing;
uniform uint thing_id;
void main() {
  world = in_pos; normal = in_normal; paint = vec4(in_colour, in_gloss); uvl = vec3(0.0, 0.0, -1.0); thing = thing_id;
  gl_Position = PROJECT(in_pos);
}
"""

SURFACE_VERTEX = """
in vec3 in_pos; in vec3 in_normal; in vec2 in_uv;
out vec3 world; out vec3 normal; out vec4 paint; out vec3 uvl; flat out uint thing;
uniform uint thing_id;
void main() {
  world = in_pos; normal = in_normal; paint = vec4(1.0, 1.0, 1.0, 0.02); uvl = vec3(in_uv, 0.0); thing = thing_id;
  gl_Position = PROJECT(in_pos);
}
"""

CARD_VERTEX = """
in vec3 in_pos; in vec3 in_normal; in vec3 in_uv;   // uv.z: 1 face side, 2 back side, 0 edge
in vec4 row0; in vec4 row1; in vec4 row2;           // pose, one row each, translation last
SHIFTS
in vec4 look;                                       // face layer, back layer, bend, gloss
in uint in_thing;
out vec3 world; out vec3 normal; out vec4 paint; out vec3 uvl; flat out uint thing;
void main() {
  vec3 p = in_pos;
  float s = p.y / 44.45;
  p.z += look.z * (1.0 - s * s);
  vec3 n = in_normal;
  n.y += 2.0 * look.z * s / 44.45 * n.z;
  vec4 r0 = row0; vec4 r1 = row1; vec4 r2 = row2;
  MOVED
  mat3 m = transpose(mat3(r0.xyz, r1.xyz, r2.xyz));
  world = m * p + vec3(r0.w, r1.w, r2.w);
  normal = normalize(m * n);
  float layer = in_uv.z > 1.5 ? look.y : look.x;
  uvl = vec3(in_uv.xy, in_uv.z < 0.5 && look.w < 0.7 ? -1.0 : layer);
  paint = vec4(0.83, 0.83, 0.8, look.w);
  thing = in_thing;
  FALLS
  gl_Position = PROJECT(world);
}
"""

# How far a card moves while the shutter is open; `moment` runs from -0.5 to 0.5.
CARD_SHIFTS = "in vec4 shift0; in vec4 shift1; in vec4 shift2; uniform float moment;"
CARD_MOVED = "r0 += moment * shift0; r1 += moment * shift1; r2 += moment * shift2;"

# What each lamp would give the card here if nothing stood between, and the highlight.
CARD_FALLS = """
  vec3 to_eye = normalize(eye - world);
  vec3 m_n = dot(normal, to_eye) < 0.0 ? -normal : normal;
  falls = vec4(0.0); shine = 0.0;
  for (int i = 0; i < LAMPS; ++i) {
    vec3 l = normalize(lamps[i].xyz - world);
    falls[i] = lamps[i].w * max(dot(m_n, l), 0.0);
    float k = max(dot(m_n, normalize(l + to_eye)), 0.0);
    k = k * k; k = k * k; k = k * k; k = k * k;
    shine += lamps[i].w * k * k * paint.a * 0.5;
  }
"""

LIT = """
uniform vec3 eye; uniform vec4 lamps[LAMPS]; uniform float ambient; uniform float room;
uniform sampler2D heights; uniform vec4 area;
vec2 fall_uv(vec3 l, vec3 world) {
  float z = min(world.z, l.z * 0.9);
  return ((world.xy * l.z - l.xy * z) / (l.z - z) - area.xy) / area.zw;
}
#define BLOCK(CHANNEL, INDEX) ramp(textureLod(heights, fall_uv(lamps[INDEX].xyz, world), 0.0).CHANNEL, low)
float ramp(float h, float low) { return clamp(1.0 - (h - low) * 0.06, 0.0, 1.0); }
// The share of each lamp's light that reaches a place: what stands `margin` higher in its way takes it.
vec4 open_to_lamps(vec3 world, float margin) {
  float low = world.z + margin + 1.0;
  vec4 share = vec4(0.0);
  share.x = BLOCK(x, 0);
#if LAMPS > 1
  share.y = BLOCK(y, 1);
#endif
#if LAMPS > 2
  share.z = BLOCK(z, 2);
#endif
#if LAMPS > 3
  share.w = BLOCK(w, 3);
#endif
  return share;
}
vec4 open_softly(vec3 world) {
  vec4 sum = vec4(0.0);
  for (int a = 0; a < 8; ++a) {
    float t = float(a) * 2.39996;
    vec2 d = vec2(cos(t), sin(t)) * (2.0 + 4.0 * sqrt(float(a) + 0.3));
    sum += open_to_lamps(world + vec3(d, 0.0), 3.0);
  }
  return sum * 0.125;
}
vec3 lit(vec3 world, vec3 n, vec4 paint, vec4 share, bool both_sides) {
  vec3 to_eye = normalize(eye - world);
  if (both_sides && dot(n, to_eye) < 0.0) n = -n;
  float light = ambient * (0.72 + 0.28 * n.z);
  float shine = 0.0;
  for (int i = 0; i < LAMPS; ++i) {
    vec3 l = normalize(lamps[i].xyz - world);
    float k = max(dot(n, normalize(l + to_eye)), 0.0);
    k = k * k; k = k * k; k = k * k; k = k * k;
    light += share[i] * lamps[i].w * max(dot(n, l), 0.0);
    shine += share[i] * lamps[i].w * k * k;
  }
  return (paint.rgb * light + vec3(shine * paint.a * 0.5)) * room;
}
"""

# Moving meshes are finely cut: they are lit at their vertices, which is several times cheaper.
MOVING_MESH_VERTEX = """
in vec3 in_pos; in vec3 in_normal; in vec3 in_colour; in float in_gloss; in vec3 in_shift;
uniform float moment;
out vec3 shade;
void main() {
  vec3 at = in_pos + moment * in_shift;
  shade = lit(at, in_normal, vec4(in_colour, in_gloss), open_to_lamps(at, 5.0), false);
  shade = sqrt(clamp(shade, 0.0, 1.0));
  gl_Position = PROJECT(at);
}
"""

# What things at rest hide is written as nothing, not discarded: what lies behind it is hidden too, and the depth test
# stays early.
HIDDEN = "float seen = 1.0 / gl_FragCoord.w > texelFetch(behind, ivec2(gl_FragCoord.xy), 0).r + 0.03 ? 0.0 : 1.0;"

MOVING_MESH_FRAGMENT = """
in vec3 shade; uniform sampler2D behind; out vec4 colour;
void main() {
  HIDDEN
  colour = vec4(shade * seen, seen);
}
"""

MOVING_CARD_FRAGMENT = """
in vec3 world; in vec3 normal; in vec4 paint; in vec3 uvl; in vec4 falls; in float shine;
uniform sampler2DArray print; uniform sampler2D shadow; uniform sampler2D behind;
out vec4 colour;
void main() {
  HIDDEN
  vec3 p = paint.rgb;
  if (uvl.z > -0.5) { vec3 c = texture(print, uvl).rgb; p = c * c; }
  float light = ambient * (0.72 + 0.28 * abs(normal.z));
  if (world.z < 3.0) {   // a card that lies takes the felt's soft shadows; its own does not count there
    float felt_light = textureLod(shadow, (world.xy - area.xy) / area.zw, 0.0).r;
    light = (light + falls.x + falls.y + falls.z + falls.w) * felt_light;
  } else {
    light += dot(falls, open_to_lamps(world, 5.0));
  }
  colour = vec4(sqrt(clamp((p * light + vec3(shine)) * room, 0.0, 1.0)) * seen, seen);
}
"""

SHADE_FRAGMENT = """
in vec3 world; in vec3 normal; in vec4 paint; in vec3 uvl; flat in uint thing;
uniform SAMPLER print; uniform sampler2D shadow;
out vec4 colour;
vec4 shares(vec3 world) {
  if (world.z < -100.0) return vec4(0.85);
  if (world.z < 3.0) {
    float felt_light = textureLod(shadow, (world.xy - area.xy) / area.zw, 0.0).r;
    return vec4(clamp((felt_light - ambient) / (1.0 - ambient), 0.0, 1.0));
  }
  return open_softly(world);
}
vec3 printed(vec3 uvl) { vec3 c = texture(print, PRINT_UV).rgb; return c * c; }
void main() {
  vec4 p = paint;
  if (uvl.z > -0.5) p.rgb = printed(uvl);
  colour = vec4(sqrt(clamp(lit(world, normalize(normal), p, shares(world), true), 0.0, 1.0)), 1.0);
}
"""

HEIGHT_FRAGMENT = """
in float height; out vec4 colour;
void main() { colour = vec4(height); }
"""

ID_FRAGMENT = """
flat in uint thing; out uint colour;
void main() { colour = thing; }
"""

DEPTH_FRAGMENT = """
in vec3 world; uniform vec4 area; layout(location = 0) out float depth; layout(location = 1) out vec2 spot;
void main() {
  depth = 1.0 / gl_FragCoord.w;
  spot = world.z > -20.0 && world.z < 25.0 ? (world.xy - area.xy) / area.zw : vec2(-1.0);
}
"""

# How much of the light reaches the felt, softened as by a lamp's width; 1 where nothing is in its way.
SHADOW_FRAGMENT = """
uniform sampler2D heights; uniform vec4 area; uniform vec4 lamps[LAMPS];
uniform float ambient; uniform vec2 texel_mm;
out vec4 colour;
void main() {
  vec2 uv = gl_FragCoord.xy * texel_mm / area.zw;
  vec4 taps = vec4(0.0);
  for (int a = 0; a < 8; ++a) {
    float t = float(a) * 2.39996;
    float reach = 2.0 + 4.0 * sqrt(float(a) + 0.3);
    taps += smoothstep(2.0, 14.0, texture(heights, uv + vec2(cos(t), sin(t)) * reach / area.zw));
  }
  float light = ambient; float full = ambient;
  for (int i = 0; i < LAMPS; ++i) { light += lamps[i].w * (1.0 - taps[i] * 0.125); full += lamps[i].w; }
  colour = vec4(light / full);
}
"""

QUAD_VERTEX = """
in vec2 in_pos;
void main() { gl_Position = vec4(in_pos, 0.0, 1.0); }
"""


def _head(lamps: int) -> str:
    return f"#version 330\n#define LAMPS {lamps}\n"


_VERTICES = {"mesh": MESH_VERTEX, "surface": SURFACE_VERTEX, "card": CARD_VERTEX}
# One look towards each lamp in place of eight round about: hard-edged shadows on what stands, at a sixth of the cost.
QUICK_FRAGMENT = SHADE_FRAGMENT.replace("open_softly(world)", "open_to_lamps(world, 4.0)")
_FRAGMENTS = {
    "shade": SHADE_FRAGMENT, "quick": QUICK_FRAGMENT, "height": HEIGHT_FRAGMENT, "id": ID_FRAGMENT,
    "depth": DEPTH_FRAGMENT,
}  # fmt: skip


def program(context: Any, kind: str, use: str, lamps: int) -> Any:
    """The program that draws `kind` (mesh, surface, card) for `use` (shade, quick, moving, height, id, depth)."""
    if use == "moving":
        return _moving_program(context, kind, lamps)
    project = "onto_felt" if use == "height" else "through_lens"
    vertex = (LAMP if use == "height" else CAMERA) + _VERTICES[kind].replace("PROJECT", project)
    fragment = _FRAGMENTS[use]
    if use in ("shade", "quick"):
        sampler, uv = ("sampler2DArray", "uvl") if kind == "card" else ("sampler2D", "uvl.xy")
        fragment = LIT + fragment.replace("SAMPLER", sampler).replace("PRINT_UV", uv)
    head = _head(lamps)
    return context.program(vertex_shader=head + _plain(vertex), fragment_shader=head + fragment)


def _plain(vertex: str) -> str:
    return vertex.replace("FALLS", "").replace("SHIFTS", "").replace("MOVED", "")


def _moving_program(context: Any, kind: str, lamp_count: int) -> Any:
    if kind == "mesh":
        vertex = CAMERA + LIT + MOVING_MESH_VERTEX
        fragment = MOVING_MESH_FRAGMENT
    else:
        lamps = "uniform vec3 eye; uniform vec4 lamps[LAMPS]; out vec4 falls; out float shine;"
        vertex = CAMERA + lamps + CARD_VERTEX.replace("FALLS", CARD_FALLS)
        vertex = vertex.replace("SHIFTS", CARD_SHIFTS).replace("MOVED", CARD_MOVED)
        fragment = LIT + MOVING_CARD_FRAGMENT
    vertex = vertex.replace("PROJECT", "through_lens")
    head = _head(lamp_count)
    return context.program(vertex_shader=head + vertex, fragment_shader=head + fragment.replace("HIDDEN", HIDDEN))


def screen_program(context: Any, fragment: str, lamps: int) -> Any:
    """A program that fills a rectangle of the target."""
    return context.program(vertex_shader=_head(lamps) + QUAD_VERTEX, fragment_shader=_head(lamps) + fragment)


def set_uniforms(target: Any, values: dict[str, Any]) -> None:
    """Sets those of `values` that the program uses."""
    for name, value in values.items():
        if name in target:
            if isinstance(value, np.ndarray):
                target[name].write(value.astype(np.float32).tobytes())
            else:
                target[name].value = value


def layout(target: Any, buffer: Any, formats: str, names: tuple[str, ...], step: str = "") -> tuple[Any, ...]:
    """A buffer's description in which attributes that the program does not use become padding."""
    parts, used = [], []
    for part, name in zip(formats.split(), names, strict=True):
        if name in target:
            parts.append(part)
            used.append(name)
        else:
            parts.append(f"{4 * int(part[0])}x")
    return (buffer, " ".join(parts) + step, *used)
