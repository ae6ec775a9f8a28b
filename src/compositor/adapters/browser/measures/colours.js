// Colours: the flat colours that are drawn, with their share of the page. The page is painted box by box, in the order
// of the document, on a coarse grid; pictures and gradients take their cells out of the count.

const CELL = 4; // CSS pixels
const PICTURE = 1; // in a cell of the grid; 0 is nothing, and from 2 on there are colours

const reader = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const parsed = new Map();

// [red, green, blue, alpha], 0–255 and 0–1, of any CSS colour.
function rgbaOf(colour) {
  let rgba = parsed.get(colour);
  if (!rgba) parsed.set(colour, (rgba = parse(colour)));
  return rgba;
}

function parse(colour) {
  const plain = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(colour);
  if (plain) return [...plain.slice(1, 4).map(Number), plain[4] === undefined ? 1 : Number(plain[4])];
  reader.clearRect(0, 0, 1, 1);
  reader.fillStyle = colour;
  reader.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = reader.getImageData(0, 0, 1, 1).data;
  return [red, green, blue, alpha / 255];
}

const alphaOf = (colour) => rgbaOf(colour)[3];
const hexOf = (rgb) => `#${rgb.slice(0, 3).map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

function over([red, green, blue], alpha, under) {
  return [red, green, blue].map((part, at) => part * alpha + under[at] * (1 - alpha));
}

class Grid {
  constructor(width, height) {
    this.columns = Math.max(1, Math.ceil(width / CELL));
    this.rows = Math.max(1, Math.ceil(height / CELL));
    this.cells = new Uint16Array(this.columns * this.rows);
    this.palette = [null, null]; // what a cell holds → [red, green, blue]
    this.indexes = new Map();
  }

  indexOf(rgb) {
    const key = hexOf(rgb);
    let index = this.indexes.get(key);
    if (index === undefined) this.indexes.set(key, (index = this.palette.push(rgb) - 1));
    return index;
  }

  // Thin things are one cell thick rather than lost.
  spanOf({ left, top, right, bottom }) {
    const from = (edge, most) => Math.min(Math.max(0, Math.round(edge / CELL)), most);
    const [x, y] = [from(left, this.columns - 1), from(top, this.rows - 1)];
    return { x, y, toX: Math.max(x + 1, from(right, this.columns)), toY: Math.max(y + 1, from(bottom, this.rows)) };
  }

  rowsOf(rect, change) {
    const { x, y, toX, toY } = this.spanOf(rect);
    for (let row = y; row < toY; row += 1) {
      const start = row * this.columns;
      change(this.cells.subarray(start + x, start + toX));
    }
  }

  paint(rect, rgb, alpha) {
    if (alpha >= 0.995) return this.fill(rect, this.indexOf(rgb));
    const mixed = new Map([[PICTURE, PICTURE]]);
    const mix = (under) => {
      if (!mixed.has(under)) mixed.set(under, this.indexOf(over(rgb, alpha, this.palette[under] ?? [255, 255, 255])));
      return mixed.get(under);
    };
    return this.rowsOf(rect, (cells) => cells.forEach((under, at) => (cells[at] = mix(under))));
  }

  fill(rect, index) {
    this.rowsOf(rect, (cells) => cells.fill(index));
  }

  // Cells of each colour; sorting and searching run natively, which a loop over the cells does not.
  counts() {
    const sorted = this.cells.slice().sort();
    return this.palette.map((_, index) => {
      const first = sorted.indexOf(index);
      return first < 0 ? 0 : sorted.lastIndexOf(index) - first + 1;
    });
  }

  // The flat colour under a point; white where nothing was painted, null under a picture.
  at(x, y) {
    const [column, row] = [Math.floor(x / CELL), Math.floor(y / CELL)];
    if (column < 0 || row < 0 || column >= this.columns || row >= this.rows) return [255, 255, 255];
    const index = this.cells[row * this.columns + column];
    return index === PICTURE ? null : this.palette[index] ?? [255, 255, 255];
  }
}

function paintPage(width, height) {
  const grid = new Grid(width, height);
  const borders = new Map(); // colour → area
  for (const element of [document.documentElement, document.body, ...document.body.querySelectorAll('*')]) {
    if (isShown(element) && opacityOf(element) >= FAINT) paintElement(grid, element, borders);
  }
  return { grid, borders };
}

const PICTURES = /^(img|video|canvas|svg|iframe|object|embed)$/;

function paintElement(grid, element, borders) {
  const style = styleOf(element);
  const alpha = alphaOf(style.backgroundColor) * opacityOf(element);
  const isPicture = PICTURES.test(get(element, 'localName')) || style.backgroundImage !== 'none';
  const bordered = sidesOf(style);
  if (alpha < FAINT && !isPicture && !bordered.length) return;
  const rect = paintedRect(element, grid);
  if (!areaOf(rect)) return;
  if (alpha >= FAINT) grid.paint(rect, rgbaOf(style.backgroundColor), alpha);
  if (isPicture) grid.fill(rect, PICTURE);
  for (const [side, thick, colour] of bordered) {
    const long = side === 'Top' || side === 'Bottom' ? rect.right - rect.left : rect.bottom - rect.top;
    const key = hexOf(rgbaOf(colour));
    borders.set(key, (borders.get(key) ?? 0) + long * thick);
  }
}

// Where a background shows: inside what cuts its box. That of the root, or else of the body, fills the whole page.
function paintedRect(element, grid) {
  const page = { left: 0, top: 0, right: grid.columns * CELL, bottom: grid.rows * CELL };
  const fills = isBare(document.documentElement) ? document.body : document.documentElement;
  if (element === fills) return page;
  const outer = cuttersOf(containerOf(element));
  return outer.reduce((rect, { rect: hole }) => meet(rect, hole), meet(rectOf(element), page));
}

function isBare(element) {
  const { backgroundColor, backgroundImage } = styleOf(element);
  return alphaOf(backgroundColor) === 0 && backgroundImage === 'none';
}

const UNDRAWN = new Set(['none', 'hidden']);

function sidesOf(style) {
  return SIDES.filter((side) => !UNDRAWN.has(style[`border${side}Style`]))
    .map((side) => [side, parseFloat(style[`border${side}Width`]), style[`border${side}Color`]])
    .filter(([, thick, colour]) => thick > 0 && alphaOf(colour) >= FAINT);
}

function coloursOf({ grid, borders }, texts) {
  const page = grid.columns * grid.rows;
  const used = [];
  grid.counts().forEach((count, index) => {
    if (index > PICTURE && count) used.push([hexOf(grid.palette[index]), 'background', count / page]);
  });
  for (const [colour, area] of borders) used.push([colour, 'border', area / (page * CELL * CELL)]);
  const inks = new Map();
  for (const { colour, lines } of texts) {
    inks.set(colour, lines.reduce((area, line) => area + areaOf(line), inks.get(colour) ?? 0));
  }
  for (const [colour, area] of inks) used.push([colour, 'text', area / (page * CELL * CELL)]);
  return used
    .map(([colour, use, share]) => ({ colour, use, share: Math.round(Math.min(1, share) * 1e5) / 1e5 }))
    .sort((a, b) => b.share - a.share || (a.colour < b.colour ? -1 : 1));
}

// The colour of a text as it is seen, and the flat colour behind it (null on a picture or a gradient).
function colourText(text, grid) {
  const middle = text.lines[0];
  const behind = grid.at((middle.left + middle.right) / 2, (middle.top + middle.bottom) / 2);
  const rgba = rgbaOf(text.style.color);
  const alpha = rgba[3] * opacityOf(text.element);
  text.colour = hexOf(over(rgba, alpha, behind ?? rgba));
  text.behind = behind && hexOf(behind);
}
