/** Colours of the panel. Text colours are darker, in the dark scheme lighter, than the library's: every text has a contrast of 4.5. */

import { type CSSVariablesResolver, createTheme, DEFAULT_THEME, darken } from '@mantine/core';
import { t } from './language/t.ts';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.125rem' } } },
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Badge: {
      defaultProps: { variant: 'light', radius: 'sm', className: 'badge' },
      styles: { root: { minWidth: 'max-content' }, label: { textTransform: 'none', fontWeight: 600, overflow: 'visible' } },
    },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('Close the message') } } },
    Paper: { defaultProps: { withBorder: true, radius: 'md' } },
    // Who chooses what is chosen already empties nothing.
    Select: { defaultProps: { allowDeselect: false } },
    Table: { defaultProps: { verticalSpacing: 'xs', highlightOnHover: true } },
  },
});

const colors = ['gray', 'red', 'green', 'yellow', 'orange', 'blue', 'indigo'] as const;

export const cssVariables: CSSVariablesResolver = () => {
  const light: Record<string, string> = {
    '--mantine-color-dimmed': '#545b62',
    '--mantine-color-placeholder': '#666d74',
    '--mantine-color-error': '#b42020',
    '--mantine-color-anchor': DEFAULT_THEME.colors.indigo[8],
    '--mantine-color-body': '#ffffff',
    '--panel-background': '#f6f7f9',
  };
  const dark: Record<string, string> = {
    '--mantine-color-dimmed': '#b0b5bb',
    '--mantine-color-placeholder': '#a4a9af',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': DEFAULT_THEME.colors.indigo[3],
    '--panel-background': '#1b1d20',
  };
  for (const color of colors) {
    const shades = DEFAULT_THEME.colors[color];
    light[`--mantine-color-${color}-light-color`] = darken(shades[9], 0.35);
    light[`--mantine-color-${color}-text`] = darken(shades[9], 0.25);
    light[`--mantine-color-${color}-outline`] = darken(shades[9], 0.25);
    dark[`--mantine-color-${color}-light-color`] = shades[2];
    dark[`--mantine-color-${color}-text`] = shades[3];
    dark[`--mantine-color-${color}-outline`] = shades[3];
    const filled = color === 'indigo' ? shades[8] : darken(shades[9], 0.2);
    for (const scheme of [light, dark]) scheme[`--mantine-color-${color}-filled`] = filled;
  }
  return { variables: {}, light, dark };
};
