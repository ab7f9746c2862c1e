/** A page without an origin has no storage, and the viewer does not start without one: this one lasts as long as the page. */
for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map();
  const storage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, String(value)),
    removeItem: (key) => kept.delete(key),
    clear: () => kept.clear(),
    key: (at) => [...kept.keys()][at] ?? null,
    get length() {
      return kept.size;
    },
  };
  Object.defineProperty(window, name, { value: storage });
}

/** In such a frame margins count only for a root that is named; without them, the viewer draws a section only once it is in view. */
window.IntersectionObserver = class extends IntersectionObserver {
  constructor(callback, options) {
    super(callback, { ...options, root: options?.root ?? document });
  }
};
