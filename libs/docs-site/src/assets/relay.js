/** Sends the requests of the viewer, whose frame has no origin, to this API alone and without cookies; keeps address and theme. */
const frame = document.querySelector('iframe');
const api = `${location.origin}/api/v1/`;

async function answerTo({ url, method, headers, body }) {
  if (!new URL(url).href.startsWith(api)) return { error: 'The viewer asks this API alone' };
  try {
    const response = await fetch(url, { method, headers, body, credentials: 'omit' });
    const { status, statusText } = response;
    return { status, statusText, headers: [...response.headers], body: await response.arrayBuffer() };
  } catch (error) {
    return { error: error.message };
  }
}

addEventListener('message', async ({ source, data, ports: [port] }) => {
  if (source !== frame.contentWindow) return;
  if (data.hash !== undefined) history.replaceState(null, '', `${location.pathname}#${data.hash}`);
  if (data.request) port.postMessage(await answerTo(data.request));
});

/** The frame cannot be named as the one to receive: its origin is none. The choice of colours is no secret. */
const sendTheme = (theme) => frame.contentWindow.postMessage({ theme }, '*');
document.addEventListener('docs-theme', ({ detail }) => sendTheme(detail));

const theme = document.documentElement.dataset.theme ?? '';
frame.src = `${frame.dataset.src}?theme=${theme}${location.hash}`;
addEventListener('hashchange', () => {
  frame.src = `${frame.dataset.src}?theme=${document.documentElement.dataset.theme ?? ''}${location.hash}`;
});
