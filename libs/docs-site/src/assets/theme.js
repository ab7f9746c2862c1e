// Before anything is drawn: the reader's choice of light or dark, otherwise the system's.
try {
  const chosen = localStorage.getItem('docs-theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is switched off: the system's setting applies.
  delete document.documentElement.dataset.theme;
}
