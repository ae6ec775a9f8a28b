// Geometry: boxes in page coordinates (CSS pixels from the top left corner), styles read once, short selectors.

// A form answers with its field where one is named like a property (`<input name="children">`), so properties and
// methods of elements are taken from their prototype.
const get = (element, name) => Reflect.get(Element.prototype, name, element);
const ask = (element, name, ...given) => Element.prototype[name].apply(element, given);
const parentOf = (element) => get(element, 'parentElement');

const root = document.scrollingElement || document.documentElement;
const pageWidth = document.documentElement.clientWidth || innerWidth;

const styles = new Map();
function styleOf(element) {
  let style = styles.get(element);
  if (!style) styles.set(element, (style = getComputedStyle(element)));
  return style;
}

const SIDES = ['Top', 'Right', 'Bottom', 'Left']; // as they stand in the names of styles

const rounded = (value) => Math.round(value * 10) / 10;
const boxOf = ({ left, top, right, bottom }) => [left, top, right - left, bottom - top].map(rounded);

function rectOf(element) {
  return onPage(ask(element, 'getBoundingClientRect'));
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
  return rects.reduce((whole, rect) => ({
    left: Math.min(whole.left, rect.left),
    top: Math.min(whole.top, rect.top),
    right: Math.max(whole.right, rect.right),
    bottom: Math.max(whole.bottom, rect.bottom),
  }));
}

// The last four steps from the root, by id, else class, else place among siblings: enough for a person to find it.
function selectorOf(element) {
  const steps = [];
  for (let at = element; at && steps.length < 4; at = parentOf(at)) {
    steps.unshift(stepOf(at));
    if (get(at, 'id')) break;
  }
  return steps.join(' > ');
}

function stepOf(element) {
  const [kind, id, [name]] = ['localName', 'id', 'classList'].map((property) => get(element, property));
  if (id) return `${kind}#${id}`;
  if (name) return `${kind}.${name}`;
  const parent = parentOf(element);
  const alike = parent ? [...get(parent, 'children')].filter((other) => get(other, 'localName') === kind) : [];
  return alike.length > 1 ? `${kind}:nth-of-type(${alike.indexOf(element) + 1})` : kind;
}

// The ancestor that a box is placed in and cut by: overflow of the ancestors in between does not touch it.
function containerOf(element) {
  const { position } = styleOf(element);
  let at = parentOf(element);
  if (position === 'absolute') while (at && !isPlaced(at)) at = parentOf(at);
  if (position === 'fixed') while (at && !isTransformed(at)) at = parentOf(at);
  return at;
}

const isPlaced = (element) => styleOf(element).position !== 'static' || isTransformed(element);

function isTransformed(element) {
  const style = styleOf(element);
  return style.transform !== 'none' || style.filter !== 'none' || style.perspective !== 'none';
}
