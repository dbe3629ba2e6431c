// One scene: built once, moved from frame to frame, drawn as a picture and as a map of which thing is where.
import * as THREE from 'three';
import { EXRLoader } from 'three/addons/loaders/EXRLoader.js';
import { card, forgetTextures, stack } from './cards.js';
import { clutter } from './clutter.js';
import { chips, die, discard, lamp, lid, shaker, shoe, shuffler, tray } from './equipment.js';
import { Hand, person } from './people.js';
import { table } from './table.js';

const MAKE = { card, stack, shoe, shuffler, discard, shaker, lid, die, chips, lamp, tray, person, clutter };
const degrees = Math.PI / 180;

const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true, powerPreference: 'low-power' });
renderer.shadowMap.enabled = true;
renderer.shadowMap.type = THREE.PCFShadowMap;
const skies = new Map();

/** A sky of 128 x 64: filtering a larger one for every gloss takes a software renderer half a minute. */
function shrunk(image, type) {
  const value = type === THREE.HalfFloatType ? (v) => THREE.DataUtils.fromHalfFloat(v) : (v) => v;
  const w = 128, h = 64, data = new Float32Array(w * h * 4), step = image.width / w, rows = image.height / h;
  for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) for (let c = 0; c < 4; c++) {
    let sum = 0, count = 0;
    for (let b = Math.floor(y * rows); b < (y + 1) * rows; b++) for (let a = Math.floor(x * step); a < (x + 1) * step; a++) {
      sum += Math.min(value(image.data[4 * (b * image.width + a) + c]), 60);
      count++;
    }
    data[4 * (y * w + x) + c] = sum / count;
  }
  const map = new THREE.DataTexture(data, w, h, THREE.RGBAFormat, THREE.FloatType);
  map.mapping = THREE.EquirectangularReflectionMapping;
  map.colorSpace = THREE.LinearSRGBColorSpace;
  map.needsUpdate = true;
  return map;
}

async function sky(name) {
  if (!skies.has(name)) {
    const { default: url } = await import(`./node_modules/@pmndrs/assets/hdri/${name}.exr.js`);
    const map = await new EXRLoader().loadAsync(url);
    const small = shrunk(map.image, map.type);
    const maker = new THREE.PMREMGenerator(renderer);
    skies.set(name, maker.fromEquirectangular(small).texture);
    small.dispose();
    maker.dispose();
  }
  return skies.get(name);
}

function union(a, b) {
  if (!a || !b) return a ?? b;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

function areaOf(ring) {
  let sum = 0;
  ring.forEach(([x, y], i) => { const [a, b] = ring[(i + 1) % ring.length]; sum += x * b - a * y; });
  return Math.abs(sum) / 2;
}

/** Arms and sleeves have no label of their own. */
const ARM = 60000;
/** What holds other things, or is clear: only people can hide it, not what lies in it. */
const HOLDERS = new Set(['discard', 'shaker', 'shoe']);

/** Calls `at(x, y)` for each pixel inside a convex ring. */
function inside(ring, at) {
  const ys = ring.map((p) => p[1]);
  for (let y = Math.ceil(Math.min(...ys)); y <= Math.max(...ys); y++) {
    let low = Infinity, high = -Infinity;
    ring.forEach(([x0, y0], i) => {
      const [x1, y1] = ring[(i + 1) % ring.length];
      if (y0 === y1 || y < Math.min(y0, y1) || y > Math.max(y0, y1)) return;
      const x = x0 + (y - y0) / (y1 - y0) * (x1 - x0);
      low = Math.min(low, x);
      high = Math.max(high, x);
    });
    for (let x = Math.ceil(low); x <= high; x++) at(x, y);
  }
}

/** Kinds whose picture is as good as convex, so that its outline says how large it is. */
const CONVEX = new Set(['card', 'chips', 'die', 'lamp', 'shaker']);

/** The corners of the smallest convex outline of points [x, y]. */
function hull(points) {
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => {
    const out = [];
    for (const p of list) {
      while (out.length > 1) {
        const [a, b] = out.slice(-2);
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        out.pop();
      }
      out.push(p);
    }
    out.pop();
    return out;
  };
  return [...half(points), ...half([...points].reverse())];
}

// Materials are never disposed of: that would throw their compiled programs away, the dearest part of a scene.
const idMaterials = new Map();
const flat = (id) => {
  if (!idMaterials.has(id)) idMaterials.set(id, idMaterial(id));
  return idMaterials.get(id);
};

const idMaterial = (id) => new THREE.ShaderMaterial({
  vertexShader: `void main() {
    #ifdef USE_INSTANCING
      gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(position, 1.0);
    #else
      gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    #endif
  }`,
  fragmentShader: 'uniform float id; void main() { gl_FragColor = vec4(mod(id, 256.0) / 255.0, floor(id / 256.0) / 255.0, 0.0, 1.0); }',
  uniforms: { id: { value: id } }, side: THREE.DoubleSide });

export class Stage {
  async build(scene) {
    this.spec = scene;
    this.world = new THREE.Scene();
    this.things = new Map();
    const [w, h] = scene.size;
    renderer.setPixelRatio(1);
    renderer.setSize(w, h, false);
    renderer.toneMapping = THREE.NeutralToneMapping; // one for all: each would compile every program anew
    renderer.toneMappingExposure = scene.light.exposure;
    this.camera = this.cameraOf(scene.camera, w, h);
    this.world.environment = await sky(scene.light.sky);
    this.world.environmentIntensity = scene.light.sky_strength;
    this.world.environmentRotation.set(Math.PI / 2, 0, scene.light.sky_turn);
    const [above, below] = scene.light.hemisphere;
    this.world.add(new THREE.HemisphereLight(above, below, scene.light.sky_strength));
    for (const lamp_ of scene.light.lamps) this.world.add(...this.lampOf(lamp_));
    this.world.add(table(scene.table));
    for (const thing of scene.things) await this.add(thing);
  }

  /** OpenCV's axes (right, down, ahead) in table mm become three's camera. */
  cameraOf(c, w, h) {
    const camera = new THREE.PerspectiveCamera(2 * Math.atan(h / 2 / c.focal_px) / degrees, w / h, 200, 9000);
    const [right, down, ahead] = c.axes;
    camera.matrixAutoUpdate = false;
    camera.matrix.set(
      right[0], -down[0], -ahead[0], c.place_mm[0], right[1], -down[1], -ahead[1], c.place_mm[1],
      right[2], -down[2], -ahead[2], c.place_mm[2], 0, 0, 0, 1);
    camera.matrixWorld.copy(camera.matrix);
    camera.matrixWorldInverse.copy(camera.matrix).invert();
    camera.matrixWorldAutoUpdate = false;
    return camera;
  }

  lampOf(l) {
    const light = new THREE.SpotLight(l.colour, l.strength, 0, l.angle * degrees, 0.7, 0);
    light.position.set(...l.at);
    light.target.position.set(...l.to);
    if (l.shadow) {
      light.castShadow = true;
      light.shadow.mapSize.set(1024, 1024);
      light.shadow.camera.near = 600;
      light.shadow.camera.far = 5000;
      light.shadow.bias = -0.0004;
      light.shadow.normalBias = 1.5;
      light.shadow.radius = l.soft;
    }
    return [light, light.target];
  }

  async add(thing) {
    const hand = thing.kind === 'hand' ? await Hand.of(thing.spec) : null;
    const object = hand ? hand.group : await MAKE[thing.kind](thing.spec);
    if (!object) throw new Error(`nothing was made of ${thing.kind}`);
    object.rotation.order = 'ZXY';
    this.world.add(object);
    const made = { thing, object, hand };
    this.things.set(thing.id, made);
    this.pose(made, thing.pose);
  }

  pose(made, pose) {
    made.object.visible = pose.shown !== false;
    if (made.hand) {
      if (made.object.visible) made.hand.pose(pose);
      return;
    }
    made.object.position.set(...pose.at);
    made.object.rotation.set((pose.tip ?? 0) * degrees, (pose.flip ?? 0) * degrees, (pose.turn ?? 0) * degrees);
  }

  /** Moves things; `only` the part of the picture that they can have changed is drawn again. */
  async move(moves, only = false) {
    const moved = moves.map(({ id }) => this.things.get(id));
    const before = only ? this.around(moved) : null;
    for (const { id, pose } of moves) this.pose(this.things.get(id), pose);
    this.world.updateMatrixWorld(true);
    this.only = only;
    this.part = only && this.drawn ? union(before, this.around(moved)) : null;
  }

  /** The rectangle of pixels [x0, y0, x1, y1] that holds things and their shadows. */
  around(moved) {
    let all = null;
    const [w, h] = this.spec.size, near = 0.06 * w;
    for (const made of moved) {
      if (!made.object.visible) continue;
      const ring = this.outline(made, true), xs = ring.map((p) => p[0]), ys = ring.map((p) => p[1]);
      all = union(all, [Math.min(...xs) - near, Math.min(...ys) - near, Math.max(...xs) + near, Math.max(...ys) + near]);
    }
    return all && [Math.max(0, Math.floor(all[0])), Math.max(0, Math.floor(all[1])), Math.min(w, Math.ceil(all[2])), Math.min(h, Math.ceil(all[3]))];
  }

  /** Which rectangle [x0, y0, x1, y1] was drawn, and its pixels, rows from below. */
  picture() {
    const gl = renderer.getContext(), [w, h] = this.spec.size;
    const [x0, y0, x1, y1] = this.part ?? (this.only && this.drawn ? [0, 0, 0, 0] : [0, 0, w, h]);
    const out = new Uint8Array(Math.max(0, x1 - x0) * Math.max(0, y1 - y0) * 4);
    if (out.length) {
      renderer.setRenderTarget(null);
      renderer.setScissorTest(Boolean(this.part));
      renderer.setScissor(x0, h - y1, x1 - x0, y1 - y0);
      renderer.render(this.world, this.camera);
      renderer.setScissorTest(false);
      gl.readPixels(x0, h - y1, x1 - x0, y1 - y0, gl.RGBA, gl.UNSIGNED_BYTE, out);
    }
    this.drawn = true;
    return [{ part: [x0, y0, x1, y1] }, out];
  }

  /** Of each labelled thing its outline in pixels (centres at whole numbers) and the share of it that is hidden. */
  truth() {
    this.world.updateMatrixWorld(true);
    const [w, h] = this.spec.size, [fw, fh, left, top] = this.spec.kept ?? [w, h, 0, 0];
    const meshes = [];
    for (const [id, made] of this.things) {
      made.object.traverse((node) => {
        if (!node.isMesh || node.material.userData?.seeThrough) return;
        let part = node, arm = false;
        for (; part && part !== made.object; part = part.parent) arm ||= part.userData.unlabelled;
        meshes.push({ node, id: arm ? ARM : made.thing.cls ? id : 0, own: !arm, of: id });
      });
    }
    // clear things hide nothing, but their own outline counts
    const outlines = new Map();
    for (const [id, made] of this.things) if (made.thing.cls && made.object.visible) outlines.set(id, this.outline(made));
    const kept = meshes.map(({ node }) => node.material);
    const sheer = [];
    this.world.traverse((node) => { if (node.isMesh && node.material.userData?.seeThrough) { sheer.push(node); node.visible = false; } });
    const others = [];
    const known = new Set(meshes.map(({ node }) => node));
    this.world.traverse((node) => { if (node.isMesh && !known.has(node) && !sheer.includes(node)) others.push([node, node.material]); });
    for (const [node] of others) node.material = flat(0);
    meshes.forEach(({ node, id }) => { node.material = flat(id); });
    const background = this.world.environment;
    this.world.environment = null;
    const target = new THREE.WebGLRenderTarget(w, h, { colorSpace: THREE.NoColorSpace });
    const seen = new Map();
    const whole = this.drawIds(target, w, h);
    for (let y = 0; y < fh; y++) for (let x = 0; x < fw; x++) {
      const i = 4 * ((h - 1 - (y + top)) * w + x + left), id = whole[i] + 256 * whole[i + 1];
      if (id) seen.set(id, (seen.get(id) ?? 0) + 1);
    }
    target.dispose();
    const out = [];
    for (const [id, outline] of outlines) {
      if (HOLDERS.has(this.things.get(id).thing.kind)) {
        out.push({ id, outline, ...this.held(outline, whole, w, h) });
        continue;
      }
      out.push({ id, outline, seen: seen.get(id) ?? 0, alone: this.alone(id, outline, meshes, others, w, h) });
    }
    this.world.environment = background;
    meshes.forEach(({ node }, i) => { node.material = kept[i]; });
    for (const [node, material] of others) node.material = material;
    for (const node of sheer) node.visible = true;
    return { things: out };
  }

  /** Of a holder's outline, how many pixels there are and how many of them no person's part covers. */
  held(outline, whole, w, h) {
    const [fw, fh, left, top] = this.spec.kept ?? [w, h, 0, 0];
    let alone = 0, seen = 0;
    inside(outline, (x, y) => {
      alone++;
      if (x < left || y < top || x >= left + fw || y >= top + fh) return;
      const i = 4 * ((h - 1 - y) * w + x), id = whole[i] + 256 * whole[i + 1];
      const kind = id === ARM ? 'hand' : this.things.get(id)?.thing.kind;
      if (kind !== 'hand' && kind !== 'person' && kind !== 'lid') seen++;
    });
    return { alone, seen };
  }

  drawIds(target, w, h) {
    const out = new Uint8Array(w * h * 4), tone = renderer.toneMapping;
    renderer.toneMapping = THREE.NoToneMapping;
    renderer.shadowMap.autoUpdate = false;
    renderer.setRenderTarget(target);
    renderer.setClearColor(0, 0);
    renderer.clear();
    renderer.render(this.world, this.camera);
    renderer.readRenderTargetPixels(target, 0, 0, w, h, out);
    renderer.setRenderTarget(null);
    renderer.toneMapping = tone;
    renderer.shadowMap.autoUpdate = true;
    return out;
  }

  /** How many pixels a thing would have with nothing in its way, in front of the camera or beside its picture. */
  alone(id, outline, meshes, others, w, h) {
    if (CONVEX.has(this.things.get(id).thing.kind)) return areaOf(outline);
    const xs = outline.map((p) => p[0]), ys = outline.map((p) => p[1]);
    const x0 = Math.floor(Math.min(...xs)) - 1, y0 = Math.floor(Math.min(...ys)) - 1;
    const cw = Math.ceil(Math.max(...xs)) - x0 + 2, ch = Math.ceil(Math.max(...ys)) - y0 + 2;
    if (cw * ch > 4e6) return 0;
    const hidden = [];
    for (const m of meshes) if (!(m.of === id && m.own) && m.node.visible) { m.node.visible = false; hidden.push(m.node); }
    for (const [node] of others) if (node.visible) { node.visible = false; hidden.push(node); }
    this.camera.setViewOffset(w, h, x0, y0, cw, ch);
    const target = new THREE.WebGLRenderTarget(cw, ch, { colorSpace: THREE.NoColorSpace });
    const pixels = this.drawIds(target, cw, ch);
    target.dispose();
    this.camera.clearViewOffset();
    for (const node of hidden) node.visible = true;
    let count = 0;
    for (let i = 0; i < pixels.length; i += 4) if (pixels[i] + 256 * pixels[i + 1] === id) count++;
    return count;
  }

  outline(made, arms = false) {
    const [w, h] = this.spec.size, points = [], v = new THREE.Vector3(), place = new THREE.Matrix4();
    const project = (node, matrix) => {
      const form = node.geometry.attributes.position;
      for (let i = 0; i < form.count; i++) {
        v.fromBufferAttribute(form, i).applyMatrix4(matrix).project(this.camera);
        points.push([(v.x + 1) / 2 * w - 0.5, (1 - v.y) / 2 * h - 0.5]);
      }
    };
    (made.hand && !arms ? made.hand.mesh : made.object).traverse((node) => {
      if (!node.isMesh || !node.geometry.attributes.position) return;
      if (!node.isInstancedMesh) return project(node, node.matrixWorld);
      for (let k = 0; k < node.count; k++) {
        node.getMatrixAt(k, place);
        project(node, place.premultiply(node.matrixWorld));
      }
    });
    return hull(points).map(([x, y]) => [Math.round(x * 100) / 100, Math.round(y * 100) / 100]);
  }

  dispose() {
    this.world.traverse((node) => {
      node.geometry?.dispose();
      for (const material of [node.material].flat()) {
        for (const map of [material?.map, material?.emissiveMap]) map?.dispose();
      }
      node.dispose?.();
    });
    forgetTextures();
  }
}
