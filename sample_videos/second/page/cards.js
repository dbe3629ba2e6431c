// Cards, cover cards and stacks of them. Local axes: x across, y along the card, z towards the side that shows.
import * as THREE from 'three';
import { backPicture, canvasOf, coverPicture, dice, facePicture, texture } from './paint.js';

export const THICK_MM = 0.3;
const kept = new Map();

async function once(key, make) {
  if (!kept.has(key)) kept.set(key, texture(await make()));
  return kept.get(key);
}

export function forgetTextures() {
  for (const map of kept.values()) map.dispose();
  kept.clear();
}

export const backMap = (back) => once(`back ${JSON.stringify(back)}`, () => backPicture(back));

async function sideMap(what) {
  if (what.colour) return once(`cover ${what.colour}`, () => coverPicture(what.colour));
  if (what.face) return once(`face ${what.face} ${what.tint}`, () => facePicture(`/cards/${what.face}.png`, what.tint));
  return backMap(what.back);
}

function sheet(size, bend) {
  const form = new THREE.PlaneGeometry(size[0], size[1], 8, 8);
  if (bend) {
    const place = form.attributes.position;
    for (let i = 0; i < place.count; i++) {
      place.setZ(i, bend * ((2 * place.getY(i) / size[1]) ** 2 - 1));
    }
    form.computeVertexNormals();
  }
  return form;
}

function paper(map, gloss) {
  return new THREE.MeshStandardMaterial({ map, roughness: 1 - gloss, metalness: 0, alphaTest: 0.5 });
}

/** A card or cover card: {size, front: {face, tint} | {colour}, rear: {back} | {colour}, bend, gloss}. */
export async function card(spec) {
  const group = new THREE.Group();
  const front = new THREE.Mesh(sheet(spec.size, spec.bend ?? 0), paper(await sideMap(spec.front), spec.gloss));
  const rear = new THREE.Mesh(sheet(spec.size, -(spec.bend ?? 0)), paper(await sideMap(spec.rear), spec.gloss));
  front.position.z = THICK_MM / 2;
  rear.rotation.y = Math.PI;
  rear.position.z = -THICK_MM / 2;
  for (const mesh of [front, rear]) {
    mesh.castShadow = mesh.receiveShadow = true;
    group.add(mesh);
  }
  return group;
}

function edgeMap(seed, tint) {
  const random = dice(seed);
  return canvasOf(64, 256, (pen, w, h) => {
    pen.fillStyle = tint;
    pen.fillRect(0, 0, w, h);
    for (let y = 0; y < h; y += 2) {
      const v = 110 + 120 * random();
      pen.fillStyle = `rgba(${v},${v},${v * 0.96},0.5)`;
      pen.fillRect(0, y, w, 1);
    }
  });
}

/**
 * A stack: {cards, size, back, face?, tint, loose, feather, lean, edge, seed}. It is built of thin slabs, each a little out of
 * line; `feather` draws every second one out along its length; `edge` stands it on the cards' long side, along x.
 */
export async function stack(spec) {
  const random = dice(spec.seed);
  const group = new THREE.Group(), inner = new THREE.Group();
  const a_slab = spec.feather ? 2 : 5;
  const [w, h] = spec.size;
  const count = Math.max(1, Math.round(spec.cards / a_slab)), thick = spec.cards * THICK_MM / count;
  const map = texture(edgeMap(spec.seed, spec.tint));
  const edge = new THREE.MeshLambertMaterial({ map });
  const form = new THREE.BoxGeometry(w, h, thick * 0.97);
  const slabs = new THREE.InstancedMesh(form, edge, count);
  const place = new THREE.Object3D();
  const slab = (i) => {
    const out = spec.feather ? (i % 2 ? 1 : -1) * spec.feather / 2 : 0;
    place.position.set(
      (random() - 0.5) * spec.loose + spec.lean[0] * i * thick, out + (random() - 0.5) * spec.loose + spec.lean[1] * i * thick,
      (i + 0.5) * thick);
    place.rotation.z = (random() - 0.5) * 0.004 * spec.loose;
    place.updateMatrix();
    return place.matrix;
  };
  for (let i = 0; i < count; i++) {
    slabs.setMatrixAt(i, slab(i));
    slabs.setColorAt(i, new THREE.Color().setScalar(0.88 + 0.12 * random()));
  }
  inner.add(slabs);
  for (const [side, z] of [[1, count * thick + 0.05], [-1, -0.05]]) {
    const top = await card({
      size: spec.size, front: side > 0 && spec.face ? { face: spec.face, tint: spec.tint } : { back: spec.back },
      rear: { back: spec.back }, gloss: 0.5 });
    top.position.set(place.position.x * (side > 0), place.position.y * (side > 0), z);
    if (side > 0) top.rotation.z = place.rotation.z;
    if (side < 0) top.rotation.y = Math.PI;
    inner.add(top);
  }
  if (spec.edge) {
    // the stack's length runs along x, the cards stand on their long side
    inner.rotation.set(0, Math.PI / 2, 0);
    inner.position.set(-count * thick / 2, 0, w / 2);
  }
  group.add(inner);
  slabs.castShadow = slabs.receiveShadow = true;
  return group;
}
