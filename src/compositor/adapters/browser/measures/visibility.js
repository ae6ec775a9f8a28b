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
const clippedAway = new Map([[null, false]]);
function isClippedAway(element) {
  let away = clippedAway.get(element);
  if (away === undefined) {
    const { clip, clipPath } = styleOf(element);
    away =
      (clip !== 'auto' && /^rect\((\d+px),? \d+px,? \1,? \d+px\)$/.test(clip)) ||
      (clipPath !== 'none' && /^inset\((5\d|[6-9]\d|100)%/.test(clipPath)) ||
      isClippedAway(element.parentElement);
    clippedAway.set(element, away);
  }
  return away;
}

// The boxes that cut what stands in `element`, nearest first. The page's own overflow is the window's matter.
const cutters = new Map([[null, []], [document.body, []], [document.documentElement, []]]);
function cuttersOf(element) {
  let found = cutters.get(element);
  if (!found) {
    const own = ownCutter(element);
    const outer = cuttersOf(containerOf(element));
    cutters.set(element, (found = own ? [own, ...outer] : outer));
  }
  return found;
}

function ownCutter(element) {
  const { overflowX, overflowY, display } = styleOf(element);
  if ((overflowX === 'visible' && overflowY === 'visible') || display === 'inline') return null;
  return { element, rect: paddingBoxOf(element), scrolls: /auto|scroll/.test(overflowX + overflowY) };
}

function paddingBoxOf(element) {
  const rect = rectOf(element);
  const { clientLeft, clientTop, clientWidth, clientHeight } = element;
  const left = rect.left + clientLeft;
  const top = rect.top + clientTop;
  if (!clientWidth && !clientHeight) return rect; // tables' rows and other boxes that have no client box
  return { left, top, right: left + clientWidth, bottom: top + clientHeight };
}
