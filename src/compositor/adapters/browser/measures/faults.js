// Faults of texts: cut, one over another, off the page. Everything measurable is reported with its figure; what is too
// much is decided by the thresholds of `compositor.verifiers.layout`, and stands only there.

const LEAST = 0.5; // CSS pixels; below it, rounding

function findCut(text) {
  const hidden = shortenedBy(text);
  if (hidden) return [{ kind: 'ellipsis', ...place(text), beyond: hidden }];
  const worst = { across: 0, down: 0, by: null };
  for (const line of text.lines) {
    for (const { element, rect, scrolls } of text.cutters) {
      if (scrolls) break; // what a reader can scroll to is not lost
      const across = Math.max(rect.left - line.left, line.right - rect.right, 0);
      const down = Math.max(rect.top - line.top, line.bottom - rect.bottom, 0) > LEAST ? cutInk(text, line, rect) : 0;
      if (across + down > worst.across + worst.down) Object.assign(worst, { across, down, by: element });
    }
  }
  if (worst.across <= LEAST && worst.down <= LEAST) return [];
  const [across, down] = [rounded(worst.across), rounded(worst.down)];
  return [{ kind: 'clipped', ...place(text), across, down, by: selectorOf(worst.by) }];
}

function cutInk(text, line, hole) {
  const ink = inkOf(text, line);
  return Math.max(hole.top - ink.top, ink.bottom - hole.bottom, 0);
}

// Pixels that an ellipsis stands for.
function shortenedBy({ element, style }) {
  if (style.textOverflow !== 'ellipsis' || style.overflowX === 'visible') return 0;
  const hidden = get(element, 'scrollWidth') - get(element, 'clientWidth');
  return hidden > 1 ? hidden : 0;
}

// A fixed-width window shows no more than its width; what stands beyond is lost or has to be scrolled to.
function findOffPage(text) {
  const seen = text.cutters.reduce((rect, cutter) => meet(rect, cutter.rect), text.rect);
  const beyond = Math.max(seen.right - pageWidth, -seen.left);
  return areaOf(seen) && beyond > LEAST ? [{ kind: 'off-page', ...place(text), beyond: rounded(beyond) }] : [];
}

// Pairs of lines of different blocks whose ink meets. Inside one block it is leading, which is a matter of style.
function findOverlaps(texts) {
  const lines = texts.flatMap((text) => text.lines.map((line) => ({ text, line })));
  lines.sort((a, b) => a.line.top - b.line.top);
  const worst = new Map();
  lines.forEach((one, at) => {
    for (let next = at + 1; next < lines.length && lines[next].line.top < one.line.bottom; next += 1) {
      const other = lines[next];
      const share = sharedInk(one, other);
      if (share <= (worst.get(other.text)?.share ?? 0)) continue;
      worst.set(other.text, { kind: 'overlap', ...place(other.text), other: one.text.said.slice(0, 60), share });
    }
  });
  return [...worst.values()];
}

function sharedInk(one, other) {
  if (!areaOf(meet(one.line, other.line)) || blockOf(one.text.element) === blockOf(other.text.element)) return 0;
  if (isTilted(one.text.element) || isTilted(other.text.element)) return 0;
  const a = seenInk(one);
  const b = seenInk(other);
  const common = meet(a, b);
  if (common.right - common.left <= 2 || common.bottom - common.top <= 2) return 0;
  return rounded((100 * areaOf(common)) / Math.max(1, Math.min(areaOf(a), areaOf(b)))) / 100;
}

function seenInk({ text, line }) {
  return text.cutters.reduce((rect, cutter) => meet(rect, cutter.rect), inkOf(text, line));
}

function findSideways() {
  const beyond = root.scrollWidth - pageWidth;
  const held = [document.documentElement, document.body].some((part) => /hidden|clip/.test(styleOf(part).overflowX));
  if (beyond <= LEAST || held) return [];
  const widest = widestElement();
  return [{ kind: 'sideways', selector: selectorOf(widest), text: '', box: boxOf(rectOf(widest)), beyond }];
}

function widestElement() {
  let widest = document.documentElement;
  let right = 0;
  for (const element of document.body.querySelectorAll('*')) {
    const edge = rectOf(element).right;
    if (edge > right + LEAST) [widest, right] = [element, edge]; // the outermost of those that reach as far
  }
  return widest;
}

const place = (text) => ({ selector: selectorOf(text.element), text: text.said.slice(0, 120), box: boxOf(text.rect) });
