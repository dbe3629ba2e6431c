// Small drawings that become textures. Every random choice comes from a seed.
import * as THREE from 'three';

/** Numbers 0..1, the same for the same seed (mulberry32). */
export function dice(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function canvasOf(width, height, draw) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  draw(canvas.getContext('2d'), width, height);
  return canvas;
}

export function texture(canvas) {
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  map.anisotropy = 2;
  map.generateMipmaps = true;
  map.minFilter = THREE.LinearMipmapLinearFilter;
  return map;
}

/** A square of grey grain that tiles, drawn over things with little opacity. */
export function grain(seed, size, spread) {
  const random = dice(seed);
  return canvasOf(size, size, (pen) => {
    const data = pen.createImageData(size, size);
    for (let i = 0; i < data.data.length; i += 4) {
      const v = 128 + (random() + random() + random() - 1.5) * spread;
      data.data[i] = data.data[i + 1] = data.data[i + 2] = v;
      data.data[i + 3] = 255;
    }
    pen.putImageData(data, 0, 0);
  });
}

/** Soft blots: wear, stains, rubbed places. */
export function blots(pen, width, height, random, count, strength) {
  for (let i = 0; i < count; i++) {
    const x = random() * width, y = random() * height, r = (0.02 + 0.14 * random()) * width;
    const light = random() < 0.5 ? 255 : 0;
    const fade = pen.createRadialGradient(x, y, 0, x, y, r);
    fade.addColorStop(0, `rgba(${light},${light},${light},${strength * random()})`);
    fade.addColorStop(1, `rgba(${light},${light},${light},0)`);
    pen.fillStyle = fade;
    pen.fillRect(x - r, y - r, 2 * r, 2 * r);
  }
}

export function roundRect(pen, x, y, w, h, r) {
  pen.beginPath();
  pen.roundRect(x, y, w, h, r);
}

const BACKS = {
  lattice(pen, w, h, ink, light, random) {
    pen.strokeStyle = light;
    const step = 10 + 16 * random();
    pen.lineWidth = 1.5 + 3 * random();
    for (let d = -h; d < w + h; d += step) {
      pen.beginPath();
      pen.moveTo(d, 0); pen.lineTo(d + h, h);
      pen.moveTo(d, h); pen.lineTo(d + h, 0);
      pen.stroke();
    }
  },
  dots(pen, w, h, ink, light, random) {
    pen.fillStyle = light;
    const step = 9 + 12 * random();
    for (let row = 0, y = 0; y < h + step; y += step * 0.87, row++) {
      for (let x = (row % 2) * step / 2; x < w + step; x += step) {
        pen.beginPath(); pen.arc(x, y, step * 0.24, 0, 7); pen.fill();
      }
    }
  },
  rings(pen, w, h, ink, light, random) {
    pen.strokeStyle = light;
    pen.lineWidth = 1.5 + 2.5 * random();
    const step = 24 + 26 * random();
    for (let y = 0; y < h + step; y += step / 2) {
      for (let x = 0; x < w + step; x += step) {
        for (const r of [0.5, 0.33, 0.16]) { pen.beginPath(); pen.arc(x, y, r * step, 0, 7); pen.stroke(); }
      }
    }
  },
  waves(pen, w, h, ink, light, random) {
    pen.strokeStyle = light;
    pen.lineWidth = 2 + 3 * random();
    const step = 12 + 10 * random(), swing = 6 + 10 * random();
    for (let y = -20; y < h + 20; y += step) {
      pen.beginPath();
      for (let x = 0; x <= w; x += 4) pen.lineTo(x, y + swing * Math.sin(x / 14));
      pen.stroke();
    }
  },
  emblem(pen, w, h, ink, light, random) {
    pen.fillStyle = light;
    pen.strokeStyle = light;
    pen.lineWidth = 3;
    roundRect(pen, w * 0.08, h * 0.06, w * 0.84, h * 0.88, 12); pen.stroke();
    pen.beginPath(); pen.ellipse(w / 2, h / 2, w * 0.3, w * 0.3, 0, 0, 7); pen.lineWidth = 6; pen.stroke();
    const n = 5 + Math.floor(6 * random());
    for (let i = 0; i < n; i++) {
      const a = (i / n) * 2 * Math.PI;
      pen.beginPath();
      pen.ellipse(w / 2 + Math.cos(a) * w * 0.15, h / 2 + Math.sin(a) * w * 0.15, w * 0.12, w * 0.045, a, 0, 7);
      pen.fill();
    }
    pen.font = `bold ${w * 0.11}px serif`;
    pen.textAlign = 'center';
    pen.fillText('CASINO', w / 2, h * 0.2);
    pen.save(); pen.translate(w / 2, h * 0.8); pen.rotate(Math.PI); pen.fillText('CASINO', 0, 0); pen.restore();
  },
  stripes(pen, w, h, ink, light, random) {
    pen.fillStyle = light;
    const step = 10 + 14 * random(), turned = random() < 0.5;
    for (let d = 0; d < (turned ? h : w); d += step) turned ? pen.fillRect(0, d, w, step * 0.4) : pen.fillRect(d, 0, step * 0.4, h);
  },
  rosette(pen, w, h, ink, light, random) {
    pen.strokeStyle = light;
    pen.lineWidth = 1.2;
    const petals = 8 + Math.floor(12 * random());
    for (const [x, y, r] of [[w / 2, h / 2, w * 0.55], [0, 0, w * 0.4], [w, 0, w * 0.4], [0, h, w * 0.4], [w, h, w * 0.4]]) {
      for (let i = 0; i < petals; i++) {
        pen.beginPath(); pen.ellipse(x, y, r, r * 0.34, (i / petals) * Math.PI, 0, 7); pen.stroke();
      }
    }
  },
  plain() {},
};

export const BACK_STYLES = Object.keys(BACKS);

/** A card's back: {style, ink, light, border, seed}. */
export function backPicture(back) {
  const random = dice(back.seed);
  return canvasOf(256, 358, (pen, w, h) => {
    pen.fillStyle = '#fff';
    roundRect(pen, 0, 0, w, h, 13); pen.fill();
    pen.save();
    const b = back.border;
    roundRect(pen, b, b, w - 2 * b, h - 2 * b, b ? 5 : 13); pen.clip();
    pen.fillStyle = back.ink;
    pen.fillRect(0, 0, w, h);
    BACKS[back.style](pen, w, h, back.ink, back.light, random);
    pen.restore();
  });
}

/** A solid cover card. */
export function coverPicture(colour) {
  return canvasOf(256, 358, (pen, w, h) => {
    pen.fillStyle = colour;
    roundRect(pen, 0, 0, w, h, 16); pen.fill();
  });
}

const loaded = new Map();

export async function imageOf(url) {
  if (!loaded.has(url)) {
    const image = new Image();
    image.src = url;
    await image.decode();
    loaded.set(url, image);
  }
  return loaded.get(url);
}

export async function facePicture(url, tint) {
  const image = await imageOf(url);
  return canvasOf(384, 538, (pen, w, h) => {
    pen.fillStyle = tint;
    roundRect(pen, 0, 0, w, h, 20); pen.fill();
    pen.save();
    pen.clip();
    pen.globalCompositeOperation = 'multiply';
    pen.drawImage(image, 0, 0, w, h);
    pen.restore();
  });
}
