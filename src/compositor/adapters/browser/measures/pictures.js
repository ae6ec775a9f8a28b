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
  }));
}

const SMALLEST = 8; // CSS pixels; a spacer or a tracking pixel may be stretched as it likes

function faultsOf(picture) {
  const { selector, src, box, natural, loaded, fit } = picture;
  const fault = (kind, figures) => ({ kind, selector, text: picture.alt ?? '', box, src, ...figures });
  if (!loaded) return [fault('broken-image', {})];
  const [width, height] = box.slice(2);
  if (width < SMALLEST || height < SMALLEST || isTilted(document.querySelector(':root'))) return [];
  const across = width / natural[0];
  const down = height / natural[1];
  const found = [];
  if (fit === 'fill' && across !== down) found.push(fault('distorted-image', { stretch: Math.max(across / down, down / across) }));
  const factor = fit === 'contain' || fit === 'scale-down' ? Math.min(across, down) : Math.max(across, down);
  if (factor > 1) found.push(fault('upscaled-image', { factor }));
  return found;
}

const PRESSED = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=link]';

function findTargets() {
  return [...document.querySelectorAll(PRESSED)].filter(isDrawn).map((element) => ({
    selector: selectorOf(element),
    href: element.getAttribute('href'),
    box: boxOf(pressableRect(element)),
    inline: isInSentence(element),
  }));
}

// The box of a link is that of what it holds: a picture in it is pressed too.
function pressableRect(element) {
  return around([element, ...element.querySelectorAll('*')].map(rectOf).filter((rect) => areaOf(rect)).concat(rectOf(element)));
}

// A link among other words of its line, which the rules on target size leave alone.
function isInSentence(element) {
  if (styleOf(element).display !== 'inline') return false;
  const words = (node) => node.textContent.replace(BLANK, ' ').trim().length;
  return words(element) > 0 && words(blockOf(element)) > words(element) + 3;
}
