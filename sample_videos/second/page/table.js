// The table itself: printed felt, padded rail, the floor around it.
import * as THREE from 'three';
import { dull, plastic, solid } from './equipment.js';
import { blots, canvasOf, dice, grain, roundRect, texture } from './paint.js';

/** Pixels of the felt's picture to a millimetre: print on felt has soft edges. */
const FINE = 1.2;

function path(pen, points, close = true) {
  pen.beginPath();
  points.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  if (close) pen.closePath();
}

function written(pen, text, x, y, size, font, turn = 0) {
  pen.save();
  pen.translate(x, y);
  pen.scale(1, -1);
  pen.rotate(-turn);
  pen.font = `${font} `.replace('SIZE', `${size}px`);
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillText(text, 0, 0);
  pen.restore();
}

const middle = (points) => points.reduce(([x, y], [a, b]) => [x + a / points.length, y + b / points.length], [0, 0]);

function feltPicture(felt) {
  const { x0, y0, x1, y1 } = felt.box, random = dice(felt.seed);
  return canvasOf(Math.round((x1 - x0) * FINE), Math.round((y1 - y0) * FINE), (pen, w, h) => {
    pen.fillStyle = felt.colour;
    pen.fillRect(0, 0, w, h);
    blots(pen, w, h, random, 26, felt.wear);
    pen.save();
    pen.setTransform(FINE, 0, 0, -FINE, -x0 * FINE, y1 * FINE);
    for (const part of felt.print) {
      pen.strokeStyle = pen.fillStyle = part.colour;
      pen.globalAlpha = part.strength ?? 0.9;
      pen.lineWidth = part.line ?? 3;
      if (part.polygon) { path(pen, part.polygon); part.fill ? pen.fill() : pen.stroke(); }
      if (part.way) { path(pen, part.way, false); pen.stroke(); }
      if (part.circle) { pen.beginPath(); pen.arc(...part.circle, 0, 7); part.fill ? pen.fill() : pen.stroke(); }
      if (part.text) written(pen, part.text, ...part.at, part.size, part.font, part.turn ?? 0);
      if (part.arc) {
        // a text along an arc around a point: {text, centre, radius, from, size}
        const a = part.arc;
        pen.font = a.font.replace('SIZE', `${a.size}px`);
        const wide = [...a.text].map((c) => pen.measureText(c).width + a.size * 0.1);
        let angle = a.middle + wide.reduce((s, v) => s + v, 0) / a.radius / 2;
        [...a.text].forEach((c, i) => {
          angle -= wide[i] / a.radius / 2;
          written(pen, c, a.centre[0] + a.radius * Math.cos(angle), a.centre[1] + a.radius * Math.sin(angle), a.size, a.font, angle - Math.PI / 2 + (a.inward ? Math.PI : 0));
          angle -= wide[i] / a.radius / 2;
        });
      }
    }
    pen.restore();
    pen.globalAlpha = 0.12;
    pen.globalCompositeOperation = 'overlay';
    pen.fillStyle = pen.createPattern(grain(felt.seed + 1, 256, 190), 'repeat');
    pen.fillRect(0, 0, w, h);
    pen.globalAlpha = 0.1;
    pen.setTransform(3.1, 0.4, -0.4, 3.1, 0, 0);
    pen.fillStyle = pen.createPattern(grain(felt.seed + 2, 256, 160), 'repeat');
    pen.fillRect(-w, -h, 2 * w, 2 * h);
  });
}

const shapeOf = (points) => new THREE.Shape(points.map(([x, y]) => new THREE.Vector2(x, y)));

export function table(spec) {
  const group = new THREE.Group(), { x0, y0, x1, y1 } = spec.felt.box;
  const map = texture(feltPicture(spec.felt));
  const form = new THREE.ShapeGeometry(shapeOf(spec.outline), 1), place = form.attributes.position, uv = form.attributes.uv;
  for (let i = 0; i < place.count; i++) uv.setXY(i, (place.getX(i) - x0) / (x1 - x0), (place.getY(i) - y0) / (y1 - y0));
  const felt = solid(form, dull('#fff', { map }));
  felt.castShadow = false;
  group.add(felt);
  const rail = shapeOf(spec.rail.outer);
  rail.holes.push(new THREE.Path(spec.rail.inner.map(([x, y]) => new THREE.Vector2(x, y))));
  const ring = new THREE.ExtrudeGeometry(rail, { depth: spec.rail.height, bevelEnabled: true, bevelSize: 14, bevelThickness: 16, bevelSegments: 5 });
  group.add(solid(ring, plastic(spec.rail.colour, 0.45), [0, 0, -10]));
  const carpet = canvasOf(512, 512, (pen, w) => {
    const random = dice(spec.floor.seed);
    pen.fillStyle = spec.floor.colour; pen.fillRect(0, 0, w, w);
    for (let i = 0; i < 40; i++) { pen.fillStyle = `hsla(${360 * random()} 35% ${14 + 22 * random()}% / 0.35)`; pen.beginPath(); pen.arc(w * random(), w * random(), 10 + 34 * random(), 0, 7); pen.fill(); }
    pen.globalAlpha = 0.12; pen.fillStyle = pen.createPattern(grain(spec.floor.seed, 128, 120), 'repeat'); pen.fillRect(0, 0, w, w);
  });
  const tiles = texture(carpet);
  tiles.wrapS = tiles.wrapT = THREE.RepeatWrapping;
  tiles.repeat.set(9, 9);
  group.add(solid(new THREE.PlaneGeometry(6000, 6000), dull('#fff', { map: tiles }), [0, 500, -760]));
  return group;
}
