// What stands on a table: shoe, shuffler, bucket and rack, shaker, dice, chips, lamp, tray.
import * as THREE from 'three';
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js';
import { backPicture, canvasOf, dice, roundRect, texture } from './paint.js';

export const plastic = (colour, roughness = 0.4, more = {}) =>
  new THREE.MeshStandardMaterial({ color: colour, roughness, metalness: 0, ...more });

/** Cloth, paper, carpet: no gloss, and cheap to draw over many pixels. */
export const dull = (colour, more = {}) => new THREE.MeshLambertMaterial({ color: colour, ...more });

export function clear(colour, opacity) {
  const material = plastic(colour, 0.08, { transparent: true, opacity, side: THREE.DoubleSide, depthWrite: false });
  material.userData.seeThrough = true;
  return material;
}

export function solid(form, material, at = [0, 0, 0], turn = [0, 0, 0]) {
  const mesh = new THREE.Mesh(form, material);
  mesh.position.set(...at);
  mesh.rotation.set(...turn);
  mesh.castShadow = !material.userData?.seeThrough;
  mesh.receiveShadow = true;
  return mesh;
}

export const block = (x, y, z, material, at, round = 3) =>
  solid(new RoundedBoxGeometry(x, y, z, 2, Math.min(round, x / 2.1, y / 2.1, z / 2.1)), material, at);

/** A cylinder that stands on z = 0. */
export const drum = (radius, height, material, at = [0, 0, 0], top = radius) =>
  solid(new THREE.CylinderGeometry(top, radius, height, 48), material, [at[0], at[1], at[2] + height / 2], [Math.PI / 2, 0, 0]);

function group(...parts) {
  const all = new THREE.Group();
  all.add(...parts.filter(Boolean));
  return all;
}

/** {length, width, height, colour, make: 'solid' | 'smoke' | 'wood', back, trim, cards}; the mouth is towards +x. */
export function shoe(s) {
  const L = s.length / 2, W = s.width, H = s.height, nose = s.nose, lip = 22;
  const profile = new THREE.Shape();
  profile.moveTo(-L, 0); profile.lineTo(-L, H * 0.82); profile.lineTo(-L + 14, H); profile.lineTo(L - nose, H);
  profile.lineTo(L - 8, lip); profile.lineTo(L, lip * 0.6); profile.lineTo(L, 0); profile.closePath();
  const form = new THREE.ExtrudeGeometry(profile, { depth: W, bevelEnabled: true, bevelSize: 2, bevelThickness: 2, bevelSegments: 2 });
  const shell = s.make === 'smoke' ? clear(s.colour, 0.5) : plastic(s.colour, s.make === 'wood' ? 0.55 : 0.3);
  const body = solid(form, shell, [0, W / 2, 0], [Math.PI / 2, 0, 0]);
  const run = nose - 8, rise = H - lip, slope = Math.hypot(run, rise);
  const face = canvasOf(256, 320, (pen, w, h) => {
    pen.fillStyle = s.trim; pen.fillRect(0, 0, w, h);
    pen.save();
    roundRect(pen, w * 0.17, h * 0.16, w * 0.66, h * 0.8, 6); pen.clip();
    pen.drawImage(backPicture(s.back), w * 0.17, h * 0.1, w * 0.66, w * 0.66 * 1.4);
    pen.restore();
    pen.fillStyle = '#0a0a0a';
    pen.fillRect(w * 0.14, h * 0.93, w * 0.72, h * 0.04);
    pen.beginPath(); pen.arc(w / 2, h * 0.2, w * 0.13, 0, 7); pen.fillStyle = s.trim; pen.fill();
  });
  const front = solid(new THREE.PlaneGeometry(W * 0.96, slope), plastic('#fff', 0.35, { map: texture(face) }));
  const holder = new THREE.Group();
  front.rotation.z = Math.PI / 2;
  holder.add(front);
  holder.rotation.y = Math.atan2(rise, run);
  holder.position.set(L - 8 - run / 2 + 1.6, 0, lip + rise / 2 + 1.6);
  const parts = [body, holder];
  const lidLength = 2 * L - nose - 34;
  if (s.make === 'smoke') parts.push(block(lidLength * 0.8, 88, 62, plastic('#d8d4c8', 0.8), [-nose / 2 + 6, 0, 36]));
  else {
    parts.push(block(lidLength, W * 0.84, 3, plastic(s.trim, 0.25), [-nose / 2 - 2, 0, H + 2.5]));
    parts.push(block(26, 14, 5, plastic('#999', 0.3, { metalness: 0.8 }), [L - nose - 26, 0, H + 5]));
  }
  if (s.label) {
    const label = canvasOf(256, 96, (pen, w, h) => {
      pen.fillStyle = '#eee'; pen.fillRect(0, 0, w, h);
      pen.fillStyle = '#222'; pen.font = 'bold 46px sans-serif'; pen.fillText(s.label, 16, 64);
    });
    parts.push(solid(new THREE.PlaneGeometry(64, 24), plastic('#fff', 0.6, { map: texture(label) }), [-L * 0.35, 0, H + 4.5], [0, 0, s.flip]));
  }
  for (const side of [-1, 1]) parts.push(block(2 * L * 0.9, 3, 8, plastic(s.trim, 0.4), [-8, side * (W / 2 + 1), 5]));
  return group(...parts);
}

/** {length, width, height, colour, trim, screen, back?}: cards go in at the top and come out in front (-y). */
export function shuffler(s) {
  const { length: X, width: Y, height: H } = s;
  const dark = plastic('#0b0b0d', 0.6);
  const screen = canvasOf(128, 80, (pen, w, h) => {
    pen.fillStyle = '#03121f'; pen.fillRect(0, 0, w, h);
    pen.fillStyle = s.screen; pen.font = 'bold 22px sans-serif'; pen.fillText('READY', 22, 34); pen.font = '15px sans-serif'; pen.fillText('8 decks', 34, 60);
  });
  const glow = plastic('#111', 0.2, { emissive: '#fff', emissiveMap: texture(screen), emissiveIntensity: 1.2 });
  return group(
    block(X, Y, H, plastic(s.colour, 0.35), [0, 0, H / 2], 12),
    block(X * 0.4, Y * 0.6, 2, plastic(s.trim, 0.3), [-X * 0.22, 0, H + 0.6], 3),
    block(72, 98, 2, dark, [-X * 0.22, 0, H + 2], 2),
    s.back && solid(new THREE.PlaneGeometry(63, 88), plastic('#fff', 0.5, { map: texture(backPicture(s.back)) }), [-X * 0.22, 0, H + 3.4]),
    solid(new THREE.PlaneGeometry(56, 35), glow, [X * 0.24, Y * 0.1, H + 0.7]),
    ...[0, 1, 2].map((i) => drum(6, 3, plastic(['#2a7', '#b33', '#bb3'][i], 0.4), [X * 0.14 + i * 20, -Y * 0.25, H])),
    block(X * 0.36, 60, 12, dark, [X * 0.2, -Y / 2 - 28, 8], 3),
  );
}

/** {make: 'round' | 'box' | 'rack' | 'slot', size: [x, y, z], colour, see}. */
export function discard(s) {
  const [X, Y, H] = s.size, wall = 4;
  const shell = s.see ? clear(s.colour, 0.42) : plastic(s.colour, 0.38, { side: THREE.DoubleSide });
  const floor = plastic(s.see ? s.colour : '#101010', 0.8);
  if (s.make === 'round') {
    const r = X / 2;
    const outline = [[r * 0.8, 0], [r, H], [r - wall, H], [r * 0.8 - wall, wall], [0, wall]].map(([x, y]) => new THREE.Vector2(x, y));
    return group(solid(new THREE.LatheGeometry(outline, 48), shell, [0, 0, 0], [Math.PI / 2, 0, 0]),
      solid(new THREE.TorusGeometry(r - wall / 2, wall * 0.8, 10, 48), plastic(s.colour, 0.3), [0, 0, H]));
  }
  if (s.make === 'rack') {
    return group(block(X, Y, 4, floor, [0, 0, 2], 1), block(X, wall, H, shell, [0, Y / 2 - wall / 2, H / 2], 1),
      block(wall, Y * 0.62, H, shell, [-X / 2 + wall / 2, Y * 0.18, H / 2], 1), block(wall, Y * 0.62, H, shell, [X / 2 - wall / 2, Y * 0.18, H / 2], 1));
  }
  const sides = [block(X, wall, H, shell, [0, Y / 2 - wall / 2, H / 2], 1), block(X, wall, H, shell, [0, -Y / 2 + wall / 2, H / 2], 1),
    block(wall, Y, H, shell, [X / 2 - wall / 2, 0, H / 2], 1), block(wall, Y, H, shell, [-X / 2 + wall / 2, 0, H / 2], 1)];
  const lid = s.make === 'slot' && [block(X, Y * 0.38, 3, plastic(s.colour, 0.3), [0, Y * 0.3, H], 1), block(X, Y * 0.3, 3, plastic(s.colour, 0.3), [0, -Y * 0.34, H], 1)];
  return group(block(X - 1, Y - 1, 3, floor, [0, 0, 1.5], 1), ...sides, ...(lid || []));
}

/** {radius, height, colour, trim}. */
export function shaker(s) {
  const r = s.radius, outline = [[r * 0.86, 0], [r, s.height * 0.2], [r, s.height], [r - 4, s.height], [r - 5, 8], [0, 8]];
  return group(
    solid(new THREE.LatheGeometry(outline.map(([x, y]) => new THREE.Vector2(x, y)), 48), plastic(s.colour, 0.35, { side: THREE.DoubleSide }), [0, 0, 0], [Math.PI / 2, 0, 0]),
    solid(new THREE.CircleGeometry(r - 5, 40), plastic(s.trim, 0.95), [0, 0, 8.4]),
    solid(new THREE.TorusGeometry(r, 2.4, 8, 48), plastic(s.trim, 0.4), [0, 0, s.height * 0.6]),
  );
}

/** {radius, height, colour, trim, make: 'dome' | 'disc'}. */
export function lid(s) {
  const skin = plastic(s.colour, 0.3, { side: THREE.DoubleSide });
  if (s.make === 'disc') return group(drum(s.radius, 9, skin), drum(s.radius * 0.2, 16, plastic(s.trim, 0.3), [0, 0, 9], s.radius * 0.26));
  const dome = solid(new THREE.SphereGeometry(s.radius, 40, 20, 0, 2 * Math.PI, 0, Math.PI / 2), skin, [0, 0, 0], [Math.PI / 2, 0, 0]);
  dome.scale.y = s.height / s.radius;
  return group(dome, solid(new THREE.SphereGeometry(s.radius * 0.17, 24, 16), plastic(s.trim, 0.3), [0, 0, s.height + 4]),
    solid(new THREE.TorusGeometry(s.radius, 3, 8, 48), plastic(s.trim, 0.35), [0, 0, 2]));
}

const SPOTS = { 1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], 6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]] };

/** {edge, colour, ink, pips, clear}: `pips` are up. */
export function die(s) {
  const side = (n) => {
    const map = texture(canvasOf(128, 128, (pen, w) => {
      pen.fillStyle = s.colour; pen.fillRect(0, 0, w, w);
      pen.fillStyle = s.ink;
      for (const [x, y] of SPOTS[n]) { pen.beginPath(); pen.arc(w / 2 + x * w * 0.25, w / 2 + y * w * 0.25, w * 0.1, 0, 7); pen.fill(); }
    }));
    return plastic('#fff', 0.15, { map, ...(s.clear ? { emissive: s.colour, emissiveIntensity: 0.18 } : {}) });
  };
  const turned = s.pips === 1 || s.pips === 6 ? [2, 5, 3, 4] : s.pips === 2 || s.pips === 5 ? [1, 6, 3, 4] : [1, 6, 2, 5];
  const sides = [...turned, s.pips, 7 - s.pips].map(side);
  const cube = new THREE.Mesh(new RoundedBoxGeometry(s.edge, s.edge, s.edge, 3, s.edge * s.round), sides);
  cube.position.z = s.edge / 2;
  cube.castShadow = cube.receiveShadow = true;
  return group(cube);
}

function chipTop(s) {
  return canvasOf(160, 160, (pen, w) => {
    const c = w / 2;
    pen.fillStyle = s.colour; pen.beginPath(); pen.arc(c, c, c, 0, 7); pen.fill();
    pen.fillStyle = s.spot;
    for (let i = 0; i < s.spots; i++) {
      const a = (i / s.spots) * 2 * Math.PI;
      pen.beginPath(); pen.moveTo(c, c); pen.arc(c, c, c, a, a + Math.PI / s.spots * 0.8); pen.fill();
    }
    pen.fillStyle = s.colour; pen.beginPath(); pen.arc(c, c, c * 0.72, 0, 7); pen.fill();
    pen.fillStyle = s.middle; pen.beginPath(); pen.arc(c, c, c * 0.58, 0, 7); pen.fill();
    pen.fillStyle = '#222'; pen.font = `bold ${w * 0.26}px sans-serif`; pen.textAlign = 'center'; pen.textBaseline = 'middle';
    pen.fillText(s.worth, c, c);
  });
}

function chipSide(s, count) {
  return canvasOf(256, 16 * count, (pen, w, h) => {
    for (let i = 0; i < count; i++) {
      pen.fillStyle = s.colour; pen.fillRect(0, i * 16, w, 16);
      pen.fillStyle = s.spot;
      const shift = (i * 37) % 41;
      for (let k = 0; k < s.spots; k++) pen.fillRect((k * w / s.spots + shift) % w, i * 16, w / s.spots * 0.4, 16);
      pen.fillStyle = 'rgba(0,0,0,0.45)'; pen.fillRect(0, i * 16, w, 1.6);
    }
  });
}

/** A stack of chips: {count, colour, spot, spots, middle, worth, seed, thick}; lying along y in the tray if `lying`. */
export function chips(s) {
  const random = dice(s.seed), r = 19.5, top = texture(chipTop(s));
  const side = plastic('#fff', 0.55, { map: texture(chipSide(s, s.lying ? s.count : 1)) });
  const flat = plastic('#fff', 0.5, { map: top });
  if (s.lying) {
    const length = s.count * s.thick;
    return group(solid(new THREE.CylinderGeometry(r, r, length, 40), [side, flat, flat], [0, 0, 0], [0, 0, 0]));
  }
  const form = new THREE.CylinderGeometry(r, r, s.thick * 0.97, 32).rotateX(Math.PI / 2);
  const stack = new THREE.InstancedMesh(form, [side, flat, flat], s.count), place = new THREE.Object3D();
  for (let i = 0; i < s.count; i++) {
    place.position.set((random() - 0.5) * 1.6, (random() - 0.5) * 1.6, (i + 0.5) * s.thick);
    place.rotation.z = random() * 6.28;
    place.updateMatrix();
    stack.setMatrixAt(i, place.matrix);
  }
  stack.castShadow = stack.receiveShadow = true;
  return group(stack);
}

/** {radius, colour, lit}. */
export function lamp(s) {
  const glass = plastic(s.colour, 0.15, s.lit ? { emissive: s.colour, emissiveIntensity: 1.6 } : {});
  const dome = solid(new THREE.SphereGeometry(s.radius * 0.86, 32, 16, 0, 2 * Math.PI, 0, Math.PI / 2), glass, [0, 0, 5], [Math.PI / 2, 0, 0]);
  return group(drum(s.radius, 6, plastic('#222', 0.4, { metalness: 0.6 })), dome);
}

/** The tray's box, its tubes empty: {size: [x, y], tubes, colour}. */
export function tray(s) {
  const [X, Y] = s.size;
  const parts = [block(X, Y, 6, plastic('#0c0c0c', 0.7), [0, 0, -3], 2)];
  for (const side of [-1, 1]) {
    parts.push(block(X + 16, 8, 14, plastic(s.colour, 0.35, { metalness: s.metal }), [0, side * (Y / 2 + 4), 5], 3));
    parts.push(block(8, Y + 16, 14, plastic(s.colour, 0.35, { metalness: s.metal }), [side * (X / 2 + 4), 0, 5], 3));
  }
  for (let i = 1; i < s.tubes; i++) parts.push(block(3, Y, 6, plastic(s.colour, 0.5), [-X / 2 + i * X / s.tubes, 0, 3], 1));
  return group(...parts);
}
