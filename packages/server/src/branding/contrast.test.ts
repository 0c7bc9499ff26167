import { expect, test } from 'vitest'
import { contrastWithWhite, MIN_CONTRAST, shownRatio } from './contrast.ts'

// The colors and ratios are from the rule "Text has minimum contrast" (afw4f7), which the W3C publishes for success
// criterion 1.4.3. The rule's examples round the ratios down.
test.each([
  ['#333333', 12.63],
  ['#0000ee', 9.39],
  ['#aaaaaa', 2.32],
  ['#000000', 21],
])('the contrast of %s with white is %d:1, as in the examples of the W3C', (color, ratio) => {
  expect(shownRatio(contrastWithWhite(color))).toBe(ratio)
})

test('the contrast of white with white is 1, and the case of color codes does not matter', () => {
  expect(contrastWithWhite('#ffffff')).toBe(1)
  expect(contrastWithWhite('#0F766E')).toBe(contrastWithWhite('#0f766e'))
})

test('pure red, pure green and pure blue have different contrasts with white', () => {
  const ratios = ['#ff0000', '#00ff00', '#0000ff'].map(color => contrastWithWhite(color).toFixed(2))
  expect(ratios).toEqual(['4.00', '1.37', '8.59'])
})

test.each([
  ['#767676', 4.54, true],
  ['#777777', 4.47, false],
  // Among the colors with too little contrast, this color comes closest to the minimum contrast.
  ['#9a6c5a', 4.49, false],
])(
  'the contrast of the color %s is shown as %d, rounded down, so that a contrast below the minimum never looks sufficient',
  (color, shown, isEnough) => {
    const contrast = contrastWithWhite(color)
    expect(shownRatio(contrast)).toBe(shown)
    expect(contrast >= MIN_CONTRAST).toBe(isEnough)
  },
)
