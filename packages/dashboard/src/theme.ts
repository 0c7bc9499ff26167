import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const gapura: MantineColorsTuple = [
  '#f0fdfa',
  '#ccfbf1',
  '#99f6e4',
  '#5eead4',
  '#2dd4bf',
  '#14b8a6',
  '#0d9488',
  '#0f766e',
  '#115e59',
  '#134e4a',
]

/** The dark-mode colors for backgrounds and borders, tinted with the brand's green. */
const dark: MantineColorsTuple = [
  '#e3ebe8',
  '#c2cfca',
  '#9db0aa',
  '#7d918b',
  '#4a5a55',
  '#34423e',
  '#1f2a27',
  '#171f1d',
  '#121917',
  '#0f1514',
]

/** The theme. White text on shade 7 of the brand color has a contrast of 5.5:1 (WCAG 2.2 requires 4.5:1). */
export const theme = createTheme({
  primaryColor: 'gapura',
  primaryShade: 7,
  colors: { gapura, dark },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Without Mantine's invisible placeholder, an opened menu focuses its first item. `Menu.extend` would add the menu's
  // code to every page, so this option is set here directly.
  components: { Menu: { defaultProps: { withInitialFocusPlaceholder: false } } },
})

/**
 * Replaces Mantine's low-contrast colors. A `light` color is the background of alerts and tags, and `light-color`
 * is their text color. The contrast between the two is at least 4.5:1.
 */
export const variables: CSSVariablesResolver = () => ({
  variables: { '--mantine-color-orange-9': '#c2410c' },
  light: {
    '--mantine-color-gapura-light': '#e7f4f2',
    '--mantine-color-gapura-light-color': '#0b5f58',
    '--mantine-color-teal-light': '#def7ec',
    '--mantine-color-teal-light-color': '#046c4e',
    '--mantine-color-red-light': '#fde8e8',
    '--mantine-color-red-light-color': '#b01c1c',
    '--mantine-color-orange-light': '#fff0d9',
    '--mantine-color-orange-light-color': '#8a4b00',
    '--mantine-color-dimmed': '#56645f',
    '--mantine-color-placeholder': '#6b7874',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': '#0f766e',
    '--ground': '#f6f8f7',
    '--raised': '#ffffff',
    '--line': '#e1e7e4',
    '--accent-ground': 'var(--mantine-color-gapura-light)',
    '--accent-ink': 'var(--mantine-color-gapura-light-color)',
  },
  dark: {
    '--mantine-color-gapura-light': '#132b28',
    '--mantine-color-gapura-light-color': '#7fe0d3',
    '--mantine-color-teal-light': '#0f3a2c',
    '--mantine-color-teal-light-color': '#7ce2b8',
    '--mantine-color-red-light': '#371a1b',
    '--mantine-color-red-light-color': '#ffa8a8',
    '--mantine-color-orange-light': '#352811',
    '--mantine-color-orange-light-color': '#ffc772',
    '--mantine-color-body': '#171f1d',
    '--mantine-color-text': '#e3ebe8',
    '--mantine-color-dimmed': '#9db0aa',
    '--mantine-color-placeholder': '#8fa39d',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#4fd1c1',
    '--ground': '#0f1514',
    '--raised': '#171f1d',
    '--line': '#283330',
    '--accent-ground': 'var(--mantine-color-gapura-light)',
    '--accent-ink': 'var(--mantine-color-gapura-light-color)',
  },
})
