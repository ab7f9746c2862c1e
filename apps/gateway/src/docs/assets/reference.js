/** Starts the viewer. It asks this host alone: no fonts, telemetry or services of others; a key is kept in memory only. */
const place = document.getElementById('reference');
const dark = document.documentElement.dataset.theme
  ? document.documentElement.dataset.theme === 'dark'
  : matchMedia('(prefers-color-scheme: dark)').matches;

const configuration = {
  url: place.dataset.url,
  baseServerURL: location.origin,
  authentication: { preferredSecurityScheme: place.dataset.url.includes('staff') ? 'staffSession' : 'apiKey' },
  persistAuth: false,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  forceDarkModeState: dark ? 'dark' : 'light',
  hideDarkModeToggle: true,
  theme: 'none',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: {
    c: true,
    clojure: true,
    csharp: true,
    dart: true,
    fsharp: true,
    http: true,
    java: true,
    kotlin: true,
    node: ['axios', 'ofetch'],
    objc: true,
    ocaml: true,
    php: true,
    powershell: true,
    r: true,
    ruby: true,
    rust: true,
    swift: true,
    shell: ['wget', 'httpie'],
    js: true,
    python: ['aiohttp', 'httpx_sync', 'httpx_async'],
  },
};
const viewer = window.Scalar.createApiReference(place, configuration);

/** What the viewer leaves out for screen readers and the keyboard: names of its parts, and roles that fit them. */
const amends = [
  ['button.scalar-code-copy:not([aria-label])', (button) => button.setAttribute('aria-label', 'Copy')],
  // The label says something else than the text that is seen.
  ['button.show-more[aria-label]', (button) => button.removeAttribute('aria-label')],
  ['button[role=none]', (button) => button.removeAttribute('role')],
  ['ul.endpoints:not([tabindex])', (list) => list.setAttribute('tabindex', '0')],
  [
    '[contenteditable][role=combobox]',
    (field) => {
      field.setAttribute('role', 'textbox');
      if (!field.getAttribute('aria-label')) field.setAttribute('aria-label', field.dataset.placeholder || 'Value');
    },
  ],
];
const amendAll = () => {
  for (const [selector, amend] of amends) for (const found of document.querySelectorAll(selector)) amend(found);
};
amendAll();
new MutationObserver(amendAll).observe(document.body, { childList: true, subtree: true });

document.addEventListener('docs-theme', ({ detail }) => {
  viewer.updateConfiguration({ ...configuration, forceDarkModeState: detail });
});
