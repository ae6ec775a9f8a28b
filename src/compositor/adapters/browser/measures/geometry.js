// Geometry: boxes in page coordinates (CSS pixels from the top left corner), styles read once, short selectors.

const root = document.scrollingElement || document.documentElement;
const pageWidth = document.documentElement.clientWidth || innerWidth;

const styles = new Map();
function styleOf(element) {
  let style = styles.get(element);
  if (!style) styles.set(element, (style = getComputedStyle(element)));
  return style;
}

const rounded = (value) => Math.round(value * 10) / 10;
const boxOf = ({ left, top, right, bottom }) => [left, top, right - left, bottom - top].map(rounded);

function rectOf(element) {
  return onPage(element.getBoundingClientRect());
}

function onPage({ left, top, right, bottom }) {
  return { left: left + scrollX, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY };
}

const areaOf = ({ left, top, right, bottom }) => Math.max(0, right - left) * Math.max(0, bottom - top);

function meet(a, b) {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

function around(rects) {
  return {
    left: Math.min(...rects.map((rect) => rect.left)),
    top: Math.min(...rects.map((rect) => rect.top)),
    right: Math.max(...rects.map((rect) => rect.right)),
    bottom: Math.max(...rects.map((rect) => rect.bottom)),
  };
}

// The last four steps from the root, by id, else class, else place among siblings: enough for a person to find it.
function selectorOf(element) {
  const steps = [];
  for (let at = element; at && at.nodeType === 1 && steps.length < 4; at = at.parentElement) {
    steps.unshift(stepOf(at));
    if (at.id) break;
  }
  return steps.join(' > ');
}

function stepOf(element) {
  if (element.id) return `${element.localName}#${element.id}`;
  const name = element.classList[0];
  if (name) return `${element.localName}.${name}`;
  const alike = [...(element.parentElement?.children ?? [])].filter((other) => other.localName === element.localName);
  return alike.length > 1 ? `${element.localName}:nth-of-type(${alike.indexOf(element) + 1})` : element.localName;
}

// The ancestor that a box is placed in and cut by: overflow of the ancestors in between does not touch it.
function containerOf(element) {
  const { position } = styleOf(element);
  let at = element.parentElement;
  if (position === 'absolute') while (at && !isPlaced(at)) at = at.parentElement;
  if (position === 'fixed') while (at && !isTransformed(at)) at = at.parentElement;
  return at;
}

const isPlaced = (element) => styleOf(element).position !== 'static' || isTransformed(element);

function isTransformed(element) {
  const style = styleOf(element);
  return style.transform !== 'none' || style.filter !== 'none' || style.perspective !== 'none';
}
