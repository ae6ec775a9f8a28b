// The measuring pass: one look at the page, written down as the facts that `compositor.verifiers.layout` describes.
// With `limits.patient`, nothing is measured while something still loads.

const MOST_FAULTS = 200; // of one kind: enough to see that a page is broken

async function measure(limits) {
  const loading = await settle();
  return loading && limits.patient ? { loading } : { loading, ...factsWithin(limits) };
}

function factsWithin(limits) {
  const height = Math.max(root.scrollHeight, innerHeight);
  if (!document.body) return emptyFacts(height);
  const texts = findTexts();
  const painted = paintPage(pageWidth, Math.min(height, limits.height));
  const visible = texts.filter((text) => text.visible);
  for (const text of texts) if (text.rect) colourText(text, painted.grid);
  const pictures = findPictures();
  return {
    document: { width: root.scrollWidth, height, viewport: pageWidth },
    truncated: height > limits.height || texts.length >= MOST_TEXTS,
    texts: texts.map(describe),
    colours: coloursOf(painted, visible),
    images: pictures.map(({ fit, drawn, ...picture }) => picture),
    targets: findTargets(),
    faults: fewOf([
      ...visible.flatMap(findCut),
      ...findOverlaps(visible),
      ...findCovered(visible),
      ...visible.flatMap(findOffPage),
      ...findSideways(),
      ...pictures.flatMap(faultsOf),
    ]),
    fonts: [...document.fonts].map(({ family, status }) => ({ family: family.replace(/^"|"$/g, ''), status })),
  };
}

function describe(text) {
  const { said, style, size, rect, element, visible } = text;
  return {
    text: said,
    box: rect ? boxOf(rect) : [0, 0, 0, 0],
    size,
    weight: Number(style.fontWeight),
    colour: text.colour ?? hexOf(rgbaOf(style.color)),
    behind: text.behind ?? null,
    family: style.fontFamily,
    selector: selectorOf(element),
    visible,
    lines: countLines(text),
  };
}

function fewOf(faults) {
  const counts = new Map();
  return faults.filter(({ kind }) => {
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts.get(kind) <= MOST_FAULTS;
  });
}

function emptyFacts(height) {
  const nothing = { texts: [], colours: [], images: [], targets: [], faults: [], fonts: [] };
  return { document: { width: root.scrollWidth, height, viewport: pageWidth }, truncated: false, ...nothing };
}
