// Texts: one entry for each text node with something to read. Each is examined by its own computed size, because
// mail markup sets `font-size: 0` on the boxes around its text.

const UNREAD = /^(script|style|template|title|textarea|option|select|datalist)$/;
const BLANK = /[\s\u00a0\u00ad\u034f\u061c\u200b-\u200f\u2007\u2028-\u202f\u2060-\u2064\ufeff\u{e0020}-\u{e007f}]+/gu;
const MOST_TEXTS = 4000;

function findTexts() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode() && texts.length < MOST_TEXTS) {
    const node = walker.currentNode;
    const said = node.data.replace(BLANK, ' ').trim();
    if (said && !UNREAD.test(get(node.parentElement, 'localName'))) texts.push(lookAt(node, said));
  }
  return texts;
}

function lookAt(node, said) {
  const element = node.parentElement;
  const style = styleOf(element);
  const size = parseFloat(style.fontSize);
  const lines = linesOf(node);
  const cutters = lines.length ? cuttersOf(element) : [];
  const text = { node, element, said, style, size, lines, cutters, rect: lines.length ? around(lines) : null };
  text.visible = canBeSeen(text);
  return text;
}

// One rect for each line fragment, in page coordinates.
function linesOf(node) {
  const range = document.createRange();
  range.selectNodeContents(node);
  return [...range.getClientRects()].filter((rect) => rect.width > 0.5 && rect.height > 0.5).map(onPage);
}

function canBeSeen({ element, style, size, rect, cutters }) {
  if (!rect || size <= 1 || alphaOf(style.color) < FAINT || !isDrawn(element)) return false;
  if (rect.right <= 0 || rect.bottom <= 0) return false; // put off the page to the left or above, out of any reach
  return cutters.every(({ rect: hole, scrolls }) => scrolls || showsThrough(rect, hole));
}

// A hole without area hides on purpose; so does one that the text stands wholly beside, as the slides of a carousel do.
// What hangs out below is copy that was cut.
function showsThrough(rect, hole) {
  if (hole.right - hole.left < 2 || hole.bottom - hole.top < 2) return false;
  return rect.left < hole.right && rect.right > hole.left;
}

const blocks = new Map();
function blockOf(element) {
  let block = blocks.get(element);
  if (!block) {
    const inline = /^(inline|contents|ruby.*)$/.test(styleOf(element).display) && parentOf(element);
    blocks.set(element, (block = inline ? blockOf(parentOf(element)) : element));
  }
  return block;
}

function countLines({ lines }) {
  return new Set(lines.map(({ top, bottom }) => Math.round((top + bottom) / 4))).size;
}
