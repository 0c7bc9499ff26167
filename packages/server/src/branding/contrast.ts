// Computes a color's contrast with white text. The dashboard also uses this file, to show the contrast while a user
// chooses a color. The file must therefore not import server-only modules.

/** The minimum contrast between text and its background (WCAG 2.2, success criterion 1.4.3, level AA). */
export const MIN_CONTRAST = 4.5

/**
 * Returns the contrast ratio between a color, such as `#0f766e`, and white, from 1 to 21. For the formula, see
 * "contrast ratio" and "relative luminance" in WCAG 2.2.
 */
export function contrastWithWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at =>
    linear(Number.parseInt(color.slice(at, at + 2), 16)),
  )
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
}

/** Returns the linear intensity, from 0 to 1, of one channel (red, green or blue) of an sRGB color. */
function linear(channel: number): number {
  const part = channel / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

/**
 * Rounds a ratio down to two decimals, so that a ratio of 4.499, which is too low, is not shown as 4.5, the minimum.
 */
export const shownRatio = (ratio: number): number => Math.floor(ratio * 100) / 100
