// Pictures and what can be pressed.

function findPictures() {
  return [...document.images].filter((image) => isDrawn(image)).map((image) => ({
    selector: selectorOf(image),
    src: image.currentSrc || image.src || '',
    alt: image.getAttribute('alt'),
    box: boxOf(rectOf(image)),
    natural: [image.naturalWidth, image.naturalHeight],
    loaded: image.complete && image.naturalWidth > 0,
    fit: styleOf(image).objectFit,
    drawn: drawnSize(image),
  }));
}

// Width and height of the picture itself, without its border and padding.
function drawnSize(image) {
  const [top, right, bottom, left] = SIDES.map((side) => parseFloat(styleOf(image)[`padding${side}`]));
  return [image.clientWidth - left - right, image.clientHeight - top - bottom];
}

const SMALLEST = 8; // CSS pixels; a spacer or a tracking pixel may be stretched as it likes

function faultsOf(picture) {
  const { selector, src, box, natural, loaded, fit, drawn } = picture;
  const fault = (kind, figures) => ({ kind, selector, text: picture.alt ?? '', box, src, ...figures });
  if (!loaded) return [fault('broken-image', {})];
  if (Math.min(...drawn) < SMALLEST) return [];
  const [across, down] = [drawn[0] / natural[0], drawn[1] / natural[1]];
  const found = [];
  const stretch = Math.max(across / down, down / across);
  if (fit === 'fill' && stretch > 1) found.push(fault('distorted-image', { stretch }));
  const factor = fit === 'contain' || fit === 'scale-down' ? Math.min(across, down) : Math.max(across, down);
  if (factor > 1) found.push(fault('upscaled-image', { factor }));
  return found;
}

const PRESSED = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=link]';

function findTargets() {
  return [...document.querySelectorAll(PRESSED)].filter(isDrawn).map((element) => ({
    selector: selectorOf(element),
    href: ask(element, 'getAttribute', 'href'),
    box: boxOf(pressableRect(element)),
    inline: isInSentence(element),
  }));
}

// The box of a link is that of what it holds: a picture in it is pressed too.
function pressableRect(element) {
  const parts = [...ask(element, 'querySelectorAll', '*')].map(rectOf).filter((rect) => areaOf(rect));
  return around([rectOf(element), ...parts]);
}

// A link among other words of its line, which the rules on target size leave alone.
function isInSentence(element) {
  if (styleOf(element).display !== 'inline') return false;
  const words = (node) => get(node, 'textContent').replace(BLANK, ' ').trim().length;
  return words(element) > 0 && words(blockOf(element)) > words(element) + 3;
}
