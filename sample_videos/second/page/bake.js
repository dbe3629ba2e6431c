// Takes single cards out of a deck that is one SVG file, as KDE's card games keep them.
// Element names there: 1_club, 10_heart, jack_spade, queen_diamond, king_heart, back.

const RANKS = { A: '1', J: 'jack', Q: 'queen', K: 'king' };
const SUITS = { C: 'club', D: 'diamond', H: 'heart', S: 'spade' };
const WIDTH = 384, HEIGHT = 538;

export const cardId = (rank, suit) => `${RANKS[rank] ?? rank}_${SUITS[suit]}`;

async function unzipped(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`no such deck: ${url}`);
  const text = new Response(answer.body.pipeThrough(new DecompressionStream('gzip')));
  return text.text();
}

const named = (text) => [...text.matchAll(/(?:url\(["']?#|href="#)([^)"']+)/g)].map((m) => m[1]);

/** The parts of the document that an element's text refers to, and those that they refer to. */
function referred(byId, text) {
  const found = new Map(), open = named(text);
  while (open.length) {
    const id = open.pop(), part = byId.get(id);
    if (!part || found.has(id)) continue;
    found.set(id, part);
    open.push(...named(part.outerHTML));
  }
  return found.values();
}

/** The document with one element, and what it refers to. */
function alone(root, byId, element) {
  const kept = [];
  for (let e = element; e && e !== root; e = e.parentNode) kept.unshift(e);
  const copy = root.cloneNode(false), defs = document.createElementNS('http://www.w3.org/2000/svg', 'defs');
  for (const part of referred(byId, element.outerHTML)) defs.append(part.cloneNode(true));
  copy.append(defs);
  for (const style of root.querySelectorAll('style')) copy.append(style.cloneNode(true));
  let place = copy;
  for (const e of kept) {
    const next = e.cloneNode(e === element);
    next.style.display = 'inline';
    place.append(next);
    place = next;
  }
  return copy;
}

export async function bakeDeck(url, ids) {
  const text = await unzipped(url);
  const document_ = new DOMParser().parseFromString(text, 'image/svg+xml');
  const root = document.importNode(document_.documentElement, true);
  root.style.cssText = 'position:absolute;left:0;top:0;width:4000px;height:4000px;visibility:hidden';
  document.body.append(root);
  const byId = new Map([...root.querySelectorAll('[id]')].map((e) => [e.id, e]));
  const out = {}, boxes = new Map();
  for (const id of ids) {
    const element = byId.get(id);
    if (element) boxes.set(id, boxOf(root, element));
  }
  root.remove();
  for (const [id, [a, b]] of boxes) {
    const copy = alone(root, byId, byId.get(id));
    copy.removeAttribute('style');
    copy.setAttribute('viewBox', `${Math.min(a.x, b.x)} ${Math.min(a.y, b.y)} ${Math.abs(b.x - a.x)} ${Math.abs(b.y - a.y)}`);
    copy.setAttribute('preserveAspectRatio', 'none');
    copy.setAttribute('width', WIDTH);
    copy.setAttribute('height', HEIGHT);
    out[id] = await picture(new XMLSerializer().serializeToString(copy));
  }
  return out;
}

/** Two corners of an element in the document's units. */
function boxOf(root, element) {
  const box = element.getBBox();
  const inRoot = root.getScreenCTM().inverse().multiply(element.getScreenCTM());
  return [[box.x, box.y], [box.x + box.width, box.y + box.height]].map(([x, y]) => new DOMPoint(x, y).matrixTransform(inRoot));
}

async function picture(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  canvas.getContext('2d').drawImage(image, 0, 0, WIDTH, HEIGHT);
  URL.revokeObjectURL(url);
  return canvas.toDataURL('image/png').split(',')[1];
}
