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

/** Grounds and lines of the dark appearance, with the green of the mark in them. */
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

/** White on shade 7 has a contrast of 5.5 to 1 (WCAG 2.2 asks for 4.5). */
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
})

/** Mantine's own are too faint on their grounds, or too pale below white. */
export const variables: CSSVariablesResolver = () => ({
  variables: { '--mantine-color-orange-9': '#c2410c' },
  light: {
    '--mantine-color-teal-light-color': '#06694a',
    '--mantine-color-orange-light-color': '#a33a08',
    '--mantine-color-dimmed': '#56645f',
    '--mantine-color-placeholder': '#6b7874',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': '#0f766e',
    '--ground': '#f6f8f7',
    '--raised': '#ffffff',
    '--line': '#e1e7e4',
    '--accent-ground': '#e7f4f2',
    '--accent-ink': '#0b5f58',
  },
  dark: {
    '--mantine-color-body': '#171f1d',
    '--mantine-color-text': '#e3ebe8',
    '--mantine-color-dimmed': '#9db0aa',
    '--mantine-color-placeholder': '#8fa39d',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#4fd1c1',
    '--ground': '#0f1514',
    '--raised': '#171f1d',
    '--line': '#283330',
    '--accent-ground': '#132b28',
    '--accent-ink': '#7fe0d3',
  },
})
