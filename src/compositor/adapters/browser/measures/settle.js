// Bring the page to rest, and count what still loads: animations at their end, no caret, lazy pictures asked for.

async function settle() {
  await new Promise(requestAnimationFrame); // only with a frame does a new window size choose other pictures
  for (const animation of document.getAnimations()) {
    try {
      animation.finish();
    } catch {
      animation.cancel(); // an endless one has no end to jump to
    }
  }
  document.activeElement?.blur?.();
  document.body?.offsetHeight; // lays out, so that fonts in use are asked for
  let loading = document.fonts.status === 'loading' ? 1 : 0;
  for (const image of document.images) {
    if (image.loading === 'lazy') image.loading = 'eager';
    if (!image.complete) loading += 1;
  }
  return loading;
}
