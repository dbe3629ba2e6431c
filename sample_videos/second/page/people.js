// Hands with sleeved arms, and people as the camera above sees them. The hand is the generic hand of the WebXR input
// profiles; its 25 joints are turned here, without a skeleton of three.js, so that its outline is at hand for the truth.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { drum, dull, plastic, solid } from './equipment.js';
import { dice } from './paint.js';

const FINGERS = ['index', 'middle', 'ring', 'pinky'];
let rest = null;

async function restHand() {
  if (rest) return rest;
  const file = await new GLTFLoader().loadAsync('./node_modules/@webxr-input-profiles/assets/dist/profiles/generic-hand/left.glb');
  let mesh = null;
  file.scene.traverse((node) => { if (node.isSkinnedMesh) mesh = node; });
  const joints = mesh.skeleton.bones.map((bone) => bone.name);
  const place = Object.fromEntries(mesh.skeleton.bones.map((bone) => [bone.name, bone.position.clone()]));
  const form = mesh.geometry;
  rest = { joints, place, place0: form.attributes.position, normal0: form.attributes.normal, index: form.index,
    skin: form.attributes.skinIndex, weight: form.attributes.skinWeight };
  return rest;
}

/** A turn by `angle` about `axis` through `point`. */
function turnAt(point, axis, angle) {
  return new THREE.Matrix4().makeTranslation(point.x, point.y, point.z)
    .multiply(new THREE.Matrix4().makeRotationAxis(axis, angle))
    .multiply(new THREE.Matrix4().makeTranslation(-point.x, -point.y, -point.z));
}

const FLEX = new THREE.Vector3(0, 0, 1), ASIDE = new THREE.Vector3(1, 0, 0);
const THUMB = new THREE.Vector3(-0.35, 0.85, -0.1).normalize();
const degrees = Math.PI / 180;

/** How each joint has moved from the rest, in the model's own axes: fingers -y, palm +x, thumb -z. */
function jointMoves(hand, curl, spread) {
  const moves = {};
  FINGERS.forEach((finger, i) => {
    const at = (part) => hand.place[`${finger}-finger-${part}`];
    const c = curl[i + 1] * degrees;
    const root = turnAt(at('phalanx-proximal'), ASIDE, (i - 1.2) * spread * degrees).multiply(turnAt(at('phalanx-proximal'), FLEX, c));
    const middle = root.clone().multiply(turnAt(at('phalanx-intermediate'), FLEX, c * 0.9));
    const far = middle.clone().multiply(turnAt(at('phalanx-distal'), FLEX, c * 0.55));
    moves[`${finger}-finger-phalanx-proximal`] = root;
    moves[`${finger}-finger-phalanx-intermediate`] = middle;
    moves[`${finger}-finger-phalanx-distal`] = moves[`${finger}-finger-tip`] = far;
  });
  const t = curl[0] * degrees;
  const root = turnAt(hand.place['thumb-metacarpal'], THUMB, -t * 0.5);
  const middle = root.clone().multiply(turnAt(hand.place['thumb-phalanx-proximal'], THUMB, -t * 0.5));
  const far = middle.clone().multiply(turnAt(hand.place['thumb-phalanx-distal'], THUMB, -t * 0.7));
  moves['thumb-metacarpal'] = root;
  moves['thumb-phalanx-proximal'] = middle;
  moves['thumb-phalanx-distal'] = moves['thumb-tip'] = far;
  return moves;
}

/** Puts the hand's mesh into a pose: {side, curl: [thumb, index, middle, ring, pinky], spread, scale}. */
function poseMesh(mesh, hand, pose, side) {
  const moves = jointMoves(hand, pose.curl, pose.spread), still = new THREE.Matrix4();
  const by = hand.joints.map((name) => moves[name] ?? still);
  const wrist = hand.place.wrist, sign = side === 'left' ? 1 : -1, scale = 1000 * (pose.scale ?? 1);
  const out = mesh.geometry.attributes.position, bent = mesh.geometry.attributes.normal;
  const v = new THREE.Vector3(), n = new THREE.Vector3(), sum = new THREE.Vector3(), nsum = new THREE.Vector3();
  for (let i = 0; i < out.count; i++) {
    sum.set(0, 0, 0);
    nsum.set(0, 0, 0);
    for (let k = 0; k < 4; k++) {
      const w = hand.weight.getComponent(i, k);
      if (!w) continue;
      const m = by[hand.skin.getComponent(i, k)];
      sum.addScaledVector(v.fromBufferAttribute(hand.place0, i).applyMatrix4(m), w);
      nsum.addScaledVector(n.fromBufferAttribute(hand.normal0, i).transformDirection(m), w);
    }
    sum.sub(wrist).multiplyScalar(scale);
    out.setXYZ(i, -sum.z * sign, -sum.y, -sum.x);
    bent.setXYZ(i, -nsum.z * sign, -nsum.y, -nsum.x);
  }
  out.needsUpdate = bent.needsUpdate = true;
  mesh.geometry.computeBoundingSphere();
}

function handMesh(hand, spec) {
  const form = new THREE.BufferGeometry();
  const count = hand.place0.count;
  form.setAttribute('position', new THREE.BufferAttribute(new Float32Array(count * 3), 3));
  form.setAttribute('normal', new THREE.BufferAttribute(new Float32Array(count * 3), 3));
  const tones = new Float32Array(count * 3), base = new THREE.Color(spec.skin), tone = new THREE.Color(), random = dice(spec.seed);
  for (let i = 0; i < count; i++) {
    const joint = hand.joints[hand.skin.getX(i)];
    const warm = /tip|distal/.test(joint) ? 0.06 : 0, palm = hand.normal0.getX(i) > 0.3 ? 0.07 : 0;
    tone.copy(base).offsetHSL(0, warm * 0.6, palm + warm * 0.2 + (random() - 0.5) * 0.012);
    tone.toArray(tones, i * 3);
  }
  form.setAttribute('color', new THREE.BufferAttribute(tones, 3));
  const index = Array.from(hand.index.array);
  if (spec.side === 'right') for (let i = 0; i < index.length; i += 3) [index[i], index[i + 1]] = [index[i + 1], index[i]];
  form.setIndex(index);
  return solid(form, plastic('#ffffff', 0.5, { vertexColors: true }));
}

/** A tube of changing radius along points, with folds. */
function sleeveForm(points, radii, random, folds) {
  const path = new THREE.CatmullRomCurve3(points, false, 'centripetal'), along = 36, around = 20;
  const frames = path.computeFrenetFrames(along), places = [], index = [];
  const phase = [random() * 6, random() * 6, random() * 6];
  for (let i = 0; i <= along; i++) {
    const t = i / along, at = path.getPointAt(t), span = t * (radii.length - 1), k = Math.min(Math.floor(span), radii.length - 2);
    const r = radii[k] + (radii[k + 1] - radii[k]) * (span - k);
    for (let j = 0; j < around; j++) {
      const a = (j / around) * 2 * Math.PI;
      const fold = i < 3 ? 0 : folds * (Math.sin(t * 38 + 2 * a + phase[0]) + 0.7 * Math.sin(t * 61 - 3 * a + phase[1]) + 0.6 * Math.sin(t * 23 + a + phase[2]));
      const p = at.clone().addScaledVector(frames.normals[i], Math.cos(a) * (r + fold)).addScaledVector(frames.binormals[i], Math.sin(a) * (r + fold) * 0.86);
      places.push(p.x, p.y, p.z);
      if (i < along) {
        const n = i * around + j, m = i * around + ((j + 1) % around);
        index.push(n, m, n + around, m, m + around, n + around);
      }
    }
  }
  const form = new THREE.BufferGeometry();
  form.setAttribute('position', new THREE.Float32BufferAttribute(places, 3));
  form.setIndex(index);
  form.computeVertexNormals();
  return form;
}

/** A hand of one person: fixed {side, skin, sleeve, cuff, seed, watch, folds}, moving {wrist, yaw, pitch, roll, curl, spread, shoulder}. */
export class Hand {
  static async of(spec) {
    const made = new Hand();
    made.spec = spec;
    made.rest = await restHand();
    made.group = new THREE.Group();
    made.mesh = handMesh(made.rest, spec);
    made.arm = new THREE.Group();
    made.arm.userData.unlabelled = true;
    const cloth = (colour) => dull(colour, { side: THREE.DoubleSide });
    made.sleeve = solid(new THREE.BufferGeometry(), cloth(spec.sleeve));
    made.cuff = solid(new THREE.BufferGeometry(), cloth(spec.cuff));
    made.bare = solid(new THREE.BufferGeometry(), plastic(spec.skin, 0.55));
    made.arm.add(made.sleeve, made.cuff, made.bare);
    if (spec.watch) {
      made.watch = drum(17, 9, plastic(spec.watch, 0.25, { metalness: 0.8 }));
      made.arm.add(made.watch);
    }
    made.group.add(made.mesh, made.arm);
    return made;
  }

  pose(p) {
    poseMesh(this.mesh, this.rest, p, this.spec.side);
    this.mesh.position.set(...p.wrist);
    this.mesh.rotation.set(0, 0, 0);
    this.mesh.rotation.order = 'ZXY';
    this.mesh.rotation.z = (p.yaw - 90) * degrees;
    this.mesh.rotation.x = -p.pitch * degrees;
    this.mesh.rotation.y = p.roll * degrees;
    this.mesh.updateMatrix();
    const back = new THREE.Vector3(0, -1, 0).applyEuler(this.mesh.rotation);
    const wrist = new THREE.Vector3(...p.wrist), shoulder = new THREE.Vector3(...p.shoulder);
    const elbow = this.elbow(wrist, shoulder, back);
    const at = (mm) => wrist.clone().addScaledVector(back, mm);
    const random = dice(this.spec.seed), s = this.spec.scale ?? 1;
    const set = (mesh, form) => { mesh.geometry.dispose(); mesh.geometry = form; };
    set(this.bare, sleeveForm([at(8), at(30), at(75)], [22 * s, 25 * s, 29 * s], random, 0));
    set(this.cuff, sleeveForm([at(22), at(38), at(58)], [35 * s, 35 * s, 33 * s], random, 0));
    const bareTo = this.spec.rolled ? 90 : 36;
    set(this.sleeve, sleeveForm([at(bareTo), at(bareTo + 70), elbow, shoulder], [40 * s, 46 * s, 56 * s, 74 * s], random, this.spec.folds));
    if (this.watch) {
      const up = new THREE.Vector3(0, 0, 1).applyEuler(this.mesh.rotation);
      this.watch.position.copy(at(12)).addScaledVector(up, 24);
      this.watch.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
    }
  }

  elbow(wrist, shoulder, back) {
    const between = shoulder.clone().sub(wrist), reach = between.length();
    const fore = 265, upper = 290, along = Math.min(Math.max((fore * fore - upper * upper + reach * reach) / (2 * reach), 40), fore);
    const out = Math.sqrt(Math.max(fore * fore - along * along, 0));
    const axis = between.normalize(), side = back.clone().sub(axis.clone().multiplyScalar(back.dot(axis)));
    side.z *= 0.3;
    if (side.lengthSq() < 1e-4) side.set(1, 0, 0);
    return wrist.clone().addScaledVector(axis, along).addScaledVector(side.normalize(), out);
  }
}

/** Somebody from above: head, hair, shoulders, looking along +y. {skin, hair, cloth, bald}. */
export function person(s) {
  const group = new THREE.Group();
  const trunk = solid(new THREE.SphereGeometry(1, 32, 20), dull(s.cloth));
  trunk.scale.set(225, 125, 130);
  trunk.position.z = -70;
  const neck = drum(58, 130, plastic(s.skin, 0.6), [0, 20, 20]);
  const head = solid(new THREE.SphereGeometry(1, 32, 24), plastic(s.skin, 0.55), [0, 40, 190]);
  head.scale.set(76, 96, 118);
  const hair = solid(new THREE.SphereGeometry(1, 32, 24), plastic(s.hair, 0.85), [0, 28, 205]);
  hair.scale.set(82, 97, 116);
  const nose = solid(new THREE.SphereGeometry(14, 12, 12), plastic(s.skin, 0.55), [0, 138, 170]);
  group.add(trunk, neck, head, nose);
  if (!s.bald) group.add(hair);
  return group;
}
