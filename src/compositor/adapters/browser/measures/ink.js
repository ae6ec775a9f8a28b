// Ink: where the glyphs of a line really are. A line's box is as tall as its font allows, so with tight leading boxes
// of neighbours touch and stick out of their parents while no ink does.

const pen = document.createElement('canvas').getContext('2d');
const trims = new Map();

// How many pixels of the box are empty above and below the ink; less than none where another font's glyphs stick out.
function trimOf(text) {
  let trim = trims.get(text);
  if (!trim) {
    const { fontStyle, fontWeight, fontSize, fontFamily } = text.style;
    pen.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    const size = pen.measureText(shown(text));
    trim = {
      above: size.fontBoundingBoxAscent - size.actualBoundingBoxAscent,
      below: size.fontBoundingBoxDescent - size.actualBoundingBoxDescent,
    };
    trims.set(text, trim);
  }
  return trim;
}

function shown({ said, style }) {
  if (style.textTransform === 'uppercase') return said.toUpperCase();
  return style.textTransform === 'lowercase' ? said.toLowerCase() : said;
}

function inkOf(text, line) {
  if (isTilted(text.element)) return line;
  const { above, below } = trimOf(text);
  return { left: line.left, top: line.top + above, right: line.right, bottom: line.bottom - below };
}

// Whether a box is turned, so that the rectangle around it says little about where its ink is.
function isTilted(element) {
  for (let at = element; at; at = parentOf(at)) {
    const { transform, rotate, writingMode } = styleOf(at);
    if (rotate !== 'none' || !writingMode.startsWith('horizontal')) return true;
    if (transform === 'none') continue;
    const { b, c, is2D } = new DOMMatrixReadOnly(transform);
    if (!is2D || b || c) return true;
  }
  return false;
}
