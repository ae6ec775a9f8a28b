// Visibility: what the eye can see at all. Text that is hidden on purpose, as a preheader is, is never a fault.

const opacities = new Map();
function opacityOf(element) {
  if (!element) return 1;
  let opacity = opacities.get(element);
  if (opacity === undefined) {
    opacity = Number(styleOf(element).opacity) * opacityOf(element.parentElement);
    opacities.set(element, opacity);
  }
  return opacity;
}

const FAINT = 0.05; // below this, nothing is left to see

function isDrawn(element) {
  return element.checkVisibility({ visibilityProperty: true }) && opacityOf(element) >= FAINT && !isClippedAway(element);
}

// The two usual ways to keep text for screen readers only: `clip: rect(0, 0, 0, 0)` and `clip-path: inset(50%)`.
function isClippedAway(element) {
  for (let at = element; at; at = at.parentElement) {
    const { clip, clipPath } = styleOf(at);
    if (/^rect\((\d+px),? \d+px,? \1,? \d+px\)$/.test(clip)) return true;
    if (/^inset\((5\d|[6-9]\d|100)%/.test(clipPath)) return true;
  }
  return false;
}

// The ancestors that cut what stands in `element`, nearest first. The page's own overflow is the window's matter.
function cuttersOf(element) {
  const cutters = [];
  for (let at = element; at && at !== document.body && at !== document.documentElement; at = containerOf(at)) {
    const { overflowX, overflowY, display } = styleOf(at);
    if (display === 'inline' || (overflowX === 'visible' && overflowY === 'visible')) continue;
    cutters.push({ element: at, rect: paddingBoxOf(at), scrolls: /auto|scroll/.test(overflowX + overflowY) });
  }
  return cutters;
}

function paddingBoxOf(element) {
  const rect = rectOf(element);
  const { clientLeft, clientTop, clientWidth, clientHeight } = element;
  const left = rect.left + clientLeft;
  const top = rect.top + clientTop;
  if (!clientWidth && !clientHeight) return rect; // tables' rows and other boxes that have no client box
  return { left, top, right: left + clientWidth, bottom: top + clientHeight };
}
