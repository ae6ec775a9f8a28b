// Visibility: what the eye can see at all. Text that is hidden on purpose, as a preheader is, is never a fault.

const opacities = new Map();
function opacityOf(element) {
  if (!element) return 1;
  let opacity = opacities.get(element);
  if (opacity === undefined) {
    opacity = Number(styleOf(element).opacity) * opacityOf(parentOf(element));
    opacities.set(element, opacity);
  }
  return opacity;
}

const FAINT = 0.05; // below this, nothing is left to see

const isShown = (element) => ask(element, 'checkVisibility', { visibilityProperty: true });

function isDrawn(element) {
  return isShown(element) && opacityOf(element) >= FAINT && !isClippedAway(element);
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
      isClippedAway(parentOf(element));
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
  const [width, height] = [get(element, 'clientWidth'), get(element, 'clientHeight')];
  if (!width && !height) return rect; // rows of tables, and other boxes that have no client box
  const left = rect.left + get(element, 'clientLeft');
  const top = rect.top + get(element, 'clientTop');
  return { left, top, right: left + width, bottom: top + height };
}
