/** Comforts of the pages; without JavaScript everything can be read. */
const root = document.documentElement;
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : systemIsDark.matches);

const button = document.querySelector('button.theme');
const nameButton = () => {
  button.textContent = isDark() ? 'Light' : 'Dark';
};
nameButton();
button.hidden = false;
systemIsDark.addEventListener('change', nameButton);
button.addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark';
  try {
    localStorage.setItem('docs-theme', root.dataset.theme);
  } catch (error) {
    console.info('The choice is not kept:', error.message);
  }
  nameButton();
  document.dispatchEvent(new CustomEvent('docs-theme', { detail: root.dataset.theme }));
});

/** Examples name the address at which this page was found. */
const documented = 'http://127.0.0.1:3000';
if (location.origin !== documented) {
  const walker = document.createTreeWalker(document.getElementById('content') ?? document.createElement('div'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode } = walker;
    if (currentNode.data.includes(documented)) currentNode.data = currentNode.data.replaceAll(documented, location.origin);
  }
}

for (const block of document.querySelectorAll('.code')) {
  const copy = document.createElement('button');
  copy.type = 'button';
  copy.textContent = 'Copy';
  copy.setAttribute('aria-label', 'Copy this code');
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      copy.textContent = 'Copied';
    } catch {
      copy.textContent = 'Select and copy';
    }
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 2000);
  });
  block.append(copy);
}
