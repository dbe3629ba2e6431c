// Things that are none of the classes: phones, drinks, paper, bank notes, business and club cards, ash trays, pens.
import * as THREE from 'three';
import { block, clear, drum, plastic, solid } from './equipment.js';
import { canvasOf, dice, roundRect, texture } from './paint.js';

function group(...parts) {
  const all = new THREE.Group();
  all.add(...parts);
  return all;
}

/** A flat printed thing, a little above the felt. */
function print(width, height, canvas, roughness, more = {}) {
  const mesh = solid(new THREE.PlaneGeometry(width, height), plastic('#fff', roughness, { map: texture(canvas), alphaTest: 0.5, side: THREE.DoubleSide, ...more }), [0, 0, 0.4]);
  return group(mesh);
}

const lines = (pen, random, x, y, w, rows, gap, ink) => {
  pen.fillStyle = ink;
  for (let i = 0; i < rows; i++) pen.fillRect(x, y + i * gap, w * (0.5 + 0.5 * random()), gap * 0.3);
};

const KINDS = {
  phone(s, random) {
    const face = canvasOf(192, 400, (pen, w, h) => {
      pen.fillStyle = s.lit ? `hsl(${360 * random()} 40% 25%)` : '#050507'; pen.fillRect(0, 0, w, h);
      if (!s.lit) return;
      pen.fillStyle = '#fff'; pen.font = '44px sans-serif'; pen.fillText('21:47', 38, 90);
      for (let i = 0; i < 12; i++) { pen.fillStyle = `hsl(${360 * random()} 70% 55%)`; roundRect(pen, 22 + (i % 4) * 40, 200 + Math.floor(i / 4) * 52, 28, 28, 7); pen.fill(); }
    });
    const glow = s.lit ? { emissive: '#fff', emissiveMap: texture(face), emissiveIntensity: 0.6 } : {};
    return group(block(72, 150, 8, plastic(s.colour, 0.3), [0, 0, 4], 4),
      solid(new THREE.PlaneGeometry(67, 143), plastic('#fff', 0.06, { map: texture(face), ...glow }), [0, 0, 8.2]));
  },
  glass(s) {
    const r = 34 + 8 * s.share, h = 90 + 50 * s.share;
    return group(drum(r * 0.85, h, clear('#dfe8ee', 0.28), [0, 0, 2], r), drum(r * 0.8, h * 0.55, plastic(s.colour, 0.1), [0, 0, 5], r * 0.88),
      block(22, 22, 22, clear('#ffffff', 0.5), [8, 5, h * 0.56], 4), block(20, 20, 20, clear('#ffffff', 0.5), [-9, -8, h * 0.56], 4),
      drum(48, 2, plastic('#d9cfb8', 0.9)));
  },
  cup(s) {
    return group(drum(28, 90, plastic('#f4f2ee', 0.4), [0, 0, 3], 40), solid(new THREE.CircleGeometry(36, 32), plastic('#2a1408', 0.15), [0, 0, 93.3]),
      drum(62, 3, plastic('#f4f2ee', 0.4)));
  },
  bottle() {
    return group(drum(32, 150, clear('#9fc7e8', 0.4)), drum(13, 30, clear('#9fc7e8', 0.4), [0, 0, 150]), drum(15, 14, plastic('#2b6cb0', 0.4), [0, 0, 175]));
  },
  paper(s, random) {
    return print(105, 148, canvasOf(256, 360, (pen, w, h) => {
      pen.fillStyle = '#f3f1ea'; pen.fillRect(0, 0, w, h);
      pen.strokeStyle = '#8ab'; pen.lineWidth = 1;
      for (let x = 20; x < w - 10; x += 18) for (let y = 60; y < h - 20; y += 18) {
        pen.strokeRect(x, y, 18, 18);
        if (random() < 0.45) { pen.beginPath(); pen.arc(x + 9, y + 9, 6, 0, 7); pen.strokeStyle = random() < 0.5 ? '#c22' : '#22c'; pen.stroke(); pen.strokeStyle = '#8ab'; }
      }
      pen.fillStyle = '#223'; pen.font = 'bold 24px serif'; pen.fillText('BACCARAT', 60, 38);
    }), 0.9);
  },
  receipt(s, random) {
    return print(80, 160, canvasOf(160, 320, (pen, w, h) => {
      pen.fillStyle = '#fbfbf6'; pen.fillRect(0, 0, w, h);
      lines(pen, random, 14, 20, w - 30, 22, 13, '#444');
    }), 0.85);
  },
  note(s, random) {
    const hue = [110, 95, 30, 210, 0][Math.floor(5 * random())];
    return print(156, 66, canvasOf(624, 264, (pen, w, h) => {
      pen.fillStyle = `hsl(${hue} 18% 74%)`; pen.fillRect(0, 0, w, h);
      pen.strokeStyle = `hsl(${hue} 30% 38%)`; pen.lineWidth = 8; pen.strokeRect(12, 12, w - 24, h - 24); pen.lineWidth = 1;
      for (let i = 0; i < 46; i++) { pen.beginPath(); pen.ellipse(w * 0.5, h / 2, 70 + i * 3, 30 + (i % 23) * 4, i * 0.14, 0, 7); pen.stroke(); }
      pen.fillStyle = `hsl(${hue} 22% 58%)`; pen.beginPath(); pen.ellipse(w / 2, h / 2, 70, 92, 0, 0, 7); pen.fill();
      pen.fillStyle = `hsl(${hue} 24% 36%)`; pen.beginPath(); pen.ellipse(w / 2, h / 2 + 10, 34, 48, 0, 0, 7); pen.fill();
      pen.font = 'bold 60px serif';
      const worth = ['100', '50', '20'][Math.floor(3 * random())];
      for (const [x, y] of [[24, 70], [w - 140, 70], [24, h - 24], [w - 140, h - 24]]) pen.fillText(worth, x, y);
    }), 0.9);
  },
  business(s, random) {
    return print(88.9, 50.8, canvasOf(320, 183, (pen, w, h) => {
      const dark = random() < 0.35;
      pen.fillStyle = dark ? `hsl(${360 * random()} 40% 22%)` : '#fafafa'; roundRect(pen, 0, 0, w, h, 2); pen.fill();
      pen.fillStyle = `hsl(${360 * random()} 70% 45%)`; pen.fillRect(18, 22, 54, 54);
      pen.fillStyle = dark ? '#eee' : '#222'; pen.font = 'bold 26px sans-serif'; pen.fillText('J. Moreno', 90, 50);
      pen.font = '15px sans-serif'; pen.fillText('Events & Catering', 90, 74);
      lines(pen, random, 18, 110, w * 0.6, 4, 16, dark ? '#ccc' : '#777');
    }), 0.6);
  },
  club(s, random) {
    return print(85.6, 54, canvasOf(340, 214, (pen, w, h) => {
      const hue = 360 * random(), fade = pen.createLinearGradient(0, 0, w, h);
      fade.addColorStop(0, `hsl(${hue} 60% 18%)`); fade.addColorStop(1, `hsl(${hue + 30} 70% 42%)`);
      pen.fillStyle = fade; roundRect(pen, 0, 0, w, h, 14); pen.fill();
      pen.fillStyle = '#e6c66a'; pen.font = 'bold 40px serif'; pen.fillText('PLAYERS', 24, 64); pen.font = '24px serif'; pen.fillText('CLUB  GOLD', 24, 100);
      pen.font = '22px monospace'; pen.fillText('0042 7781 9034', 24, 180);
    }), 0.25);
  },
  ashtray(s, random) {
    const parts = [drum(52, 26, plastic(s.colour, 0.15)), solid(new THREE.CircleGeometry(42, 36), plastic('#4a4a4a', 0.95), [0, 0, 26.4]),
      solid(new THREE.TorusGeometry(46, 6, 10, 40), plastic(s.colour, 0.15), [0, 0, 26])];
    for (let i = 0; i < 3; i++) {
      const butt = solid(new THREE.CylinderGeometry(4, 4, 30, 12), plastic('#e8dcc0', 0.8), [20 * random() - 10, 20 * random() - 10, 30], [0, 0, 6 * random()]);
      parts.push(butt);
    }
    return group(...parts);
  },
  pen(s) {
    return group(solid(new THREE.CylinderGeometry(4.5, 4.5, 138, 16), plastic(s.colour, 0.25), [0, 0, 4.5]), solid(new THREE.ConeGeometry(4, 12, 16), plastic('#bbb', 0.2), [0, 74, 4.5]));
  },
  coins(s, random) {
    return group(...Array.from({ length: 4 }, () => drum(9 + 4 * random(), 2, plastic(random() < 0.5 ? '#b87333' : '#c0c0c0', 0.3, { metalness: 0.9 }), [60 * random() - 30, 60 * random() - 30, 0])));
  },
  paddle(s) {
    return group(block(30, 120, 3, clear('#ffffff', 0.45), [0, 0, 3], 1));
  },
  keys(s) {
    return group(solid(new THREE.TorusGeometry(14, 1.6, 8, 32), plastic('#aaa', 0.3, { metalness: 0.9 }), [0, 0, 2]),
      block(10, 54, 2, plastic('#b9a15a', 0.3, { metalness: 0.8 }), [0, -36, 2], 1), block(9, 48, 2, plastic('#aaa', 0.3, { metalness: 0.8 }), [16, -30, 3], 1), block(34, 52, 9, plastic('#111', 0.5), [-26, -26, 5], 6));
  },
};

/** {what, seed, colour, lit, share}. */
export const clutter = (s) => KINDS[s.what](s, dice(s.seed));
export const CLUTTER = Object.keys(KINDS);
