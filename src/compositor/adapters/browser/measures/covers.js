// Covered text: points along each line, and what is painted above the text there. Hit testing sees only the window, so
// the page is scrolled through it, and put back.

const PROBES = [0.15, 0.5, 0.85]; // along a line, at half its height
const MOST_LINES = 12; // of one text; a long paragraph is not covered at its end alone

function findCovered(texts) {
  const probes = texts.flatMap(probesOf).sort((a, b) => a.y - b.y);
  const [x, y] = [scrollX, scrollY];
  const bare = letEverythingBeHit();
  for (const probe of probes) testAt(probe);
  bare.remove();
  scrollTo({ left: x, top: y, behavior: 'instant' });
  return texts.flatMap(verdictOn);
}

function probesOf(text) {
  text.probes = { tested: 0, hidden: 0, under: null };
  return text.lines.slice(0, MOST_LINES).flatMap((line) =>
    PROBES.map((part) => ({ text, x: line.left + part * (line.right - line.left), y: (line.top + line.bottom) / 2 })),
  );
}

// `pointer-events: none` would hide a cover from hit testing, and a text from its own probe.
function letEverythingBeHit() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { pointer-events: auto !important }');
  document.adoptedStyleSheets.push(sheet);
  const others = () => document.adoptedStyleSheets.filter((other) => other !== sheet);
  return { remove: () => (document.adoptedStyleSheets = others()) };
}

function testAt({ text, x, y }) {
  if (y < scrollY || y >= scrollY + innerHeight) scrollTo({ left: 0, top: Math.max(0, y - 10), behavior: 'instant' });
  const [atX, atY] = [x - scrollX, y - scrollY];
  const top = document.elementFromPoint(atX, atY);
  if (!top) return; // outside the window, and beyond what can be scrolled to
  text.probes.tested += 1;
  if (isPartOf(top, text.element)) return;
  const cover = paintedAbove(text, document.elementsFromPoint(atX, atY));
  if (cover) Object.assign(text.probes, { hidden: text.probes.hidden + 1, under: cover });
}

const isPartOf = (element, whole) => ask(whole, 'contains', element);

// The first thing painted above the text at a point. An ancestor stands there only when a pseudo-element of it lies
// over the text, or when the text lies behind it. (A pseudo-element of the text's own element looks like the text.)
function paintedAbove(text, stack) {
  const own = stack.findIndex((element) => isPartOf(element, text.element));
  if (own < 0) return null; // between lines, or a hit shape smaller than the text: cannot tell
  return stack.slice(0, own).find((element) => isOpaque(element, isPartOf(text.element, element))) ?? null;
}

const DRAWN = /^(img|video|canvas|iframe|object|embed|input|button|textarea|select)$/;

function isOpaque(element, isAncestor) {
  if (opacityOf(element) < 0.5 || staysBehind(element)) return false;
  if (paints(styleOf(element))) return true;
  if (!isAncestor && DRAWN.test(get(element, 'localName'))) return true;
  return ['::before', '::after'].some((part) => {
    const style = getComputedStyle(element, part);
    return style.content !== 'none' && style.position === 'absolute' && Number(style.opacity) >= 0.5 && paints(style);
  });
}

// Whether a text comes out from under it when the page is scrolled: a bar that moves with the window.
function staysBehind(element) {
  for (let at = element; at; at = parentOf(at)) {
    if (!/fixed|sticky/.test(styleOf(at).position)) continue;
    const { left, top, right, bottom } = rectOf(at);
    return right - left < 0.95 * innerWidth || bottom - top < 0.95 * innerHeight;
  }
  return false;
}

const paints = (style) => alphaOf(style.backgroundColor) >= 0.5 || /url\(/.test(style.backgroundImage);

function verdictOn(text) {
  const { tested, hidden, under } = text.probes;
  if (!hidden) return [];
  return [{ kind: 'covered', ...place(text), share: rounded((100 * hidden) / tested) / 100, by: selectorOf(under) }];
}
