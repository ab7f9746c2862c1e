/** Starts the viewer. It asks this host alone: no fonts, telemetry or services of others; a key is kept in memory only. */
const place = document.getElementById('reference');
/** Without a choice the system's setting applies. */
const setTheme = (theme) => {
  document.documentElement.dataset.theme = theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
};
setTheme(new URLSearchParams(location.search).get('theme'));

/** This page has no origin, so that it reaches nothing of the admin panel: the page around it sends the requests (relay.js). */
const fetchFile = window.fetch;
window.fetch = async (input, init) => {
  const request = new Request(input, init);
  if (request.url.startsWith(`${location.origin}/docs/`)) return fetchFile(request);
  const { url, method, headers } = request;
  const body = method === 'GET' || method === 'HEAD' ? undefined : await request.arrayBuffer();
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise((resolve) => {
    port1.onmessage = resolve;
  });
  parent.postMessage({ request: { url, method, headers: [...headers], body } }, location.origin, [port2]);
  const { data } = await answered;
  if (data.error) throw new TypeError(data.error);
  return new Response(data.body.byteLength > 0 ? data.body : null, data);
};

/** The address of the page around this one names the shown endpoint. */
for (const name of ['pushState', 'replaceState']) {
  const change = history[name].bind(history);
  history[name] = (...given) => {
    change(...given);
    parent.postMessage({ hash: location.hash.slice(1) }, location.origin);
  };
}

/** Other pages of the documentation are not shown in a frame. */
document.addEventListener(
  'click',
  ({ target }) => {
    const link = target.closest('a[href]');
    if (link && !link.getAttribute('href').startsWith('#')) link.target = '_blank';
  },
  true,
);

const hiddenLanguages = 'c clojure csharp dart fsharp http java kotlin objc ocaml php powershell r ruby rust swift js'.split(' ');

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
  forceDarkModeState: document.documentElement.dataset.theme,
  hideDarkModeToggle: true,
  theme: 'none',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: {
    ...Object.fromEntries(hiddenLanguages.map((name) => [name, true])),
    node: ['axios', 'ofetch'],
    shell: ['wget', 'httpie'],
    python: ['aiohttp', 'httpx_sync', 'httpx_async'],
  },
};
const viewer = window.Scalar.createApiReference(place, configuration);

/** Adds names and roles that the viewer lacks for screen readers and the keyboard. */
const amends = [
  ['button.scalar-code-copy:not([aria-label])', (button) => button.setAttribute('aria-label', 'Copy')],
  // The label says something else than the text that is seen.
  ['button.show-more[aria-label]', (button) => button.removeAttribute('aria-label')],
  ['button[role=none]', (button) => button.removeAttribute('role')],
  // The dialog of a request has notices of its own, beside those of the page.
  [
    '[role=dialog] section[aria-label^=Notifications]',
    (notices) => {
      if (!notices.ariaLabel.endsWith('of the request')) notices.ariaLabel += ' of the request';
    },
  ],
  // The viewer shows random letters, which look like a key.
  ['input.scalar-password-input:not([placeholder="Paste it here"])', (input) => input.setAttribute('placeholder', 'Paste it here')],
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

/** Content behind the open dialog of a request is inert; reference.css does the same to a closed dialog. */
const layBehind = () => {
  const open = document.querySelector('.scalar-client--open') !== null;
  for (const part of document.querySelectorAll('.references-rendered, .t-doc__sidebar, .t-doc__header')) part.inert = open;
};
new MutationObserver(layBehind).observe(document.body, { attributes: true, attributeFilter: ['class'], childList: true, subtree: true });

addEventListener('message', ({ source, data }) => {
  if (source !== parent || data.theme === undefined) return;
  setTheme(data.theme);
  viewer.updateConfiguration({ ...configuration, forceDarkModeState: data.theme });
});
