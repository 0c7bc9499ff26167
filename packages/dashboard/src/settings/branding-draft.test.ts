import { expect, test } from 'vitest'
import {
  brandingOf,
  colorIn,
  contrastOf,
  dataUrl,
  draftOf,
  faultOfColor,
  faultOfFile,
  logoIn,
} from './branding-draft.ts'

const logo = { content_type: 'image/png', data: 'iVBORw==' } as const
const stored = { ...logo, width: 3, height: 2, url: 'https://pay.example.com/branding/1/logo/2' }

test('the branding form sends each setting that the user did not edit with its stored value', () => {
  for (const branding of [
    { display_name: 'Toko Budi', color: '#0f766e', logo: stored },
    { display_name: null, color: null, logo: null },
  ])
    expect(brandingOf(draftOf(branding))).toEqual({ ...branding, logo: branding.logo && logo })
})

test('if a user clears a field in the branding form, the corresponding branding setting is removed', () => {
  expect(brandingOf({ display_name: ' ', color: '', logo: null })).toEqual({
    display_name: null,
    color: null,
    logo: null,
  })
})

test.each([
  ['#0F766E', '#0f766e'],
  [' #0f766e ', '#0f766e'],
  ['#0f766', undefined],
  ['0f766e', undefined],
  ['teal', undefined],
  ['', undefined],
])('the text %j in the color field is read as the color %s', (typed, color) => {
  expect(colorIn(typed)).toBe(color)
})

test('the branding form rejects a color that is too light', () => {
  expect(faultOfColor('#777777')).toEqual({ id: 'color_too_light', params: { ratio: 4.47, min: 4.5 } })
  for (const typed of ['#0f766e', '#fff', '']) expect(faultOfColor(typed)).toBeUndefined()
})

test('white text on a color counts as legible only if its contrast with the color is at least 4.5:1', () => {
  expect(contrastOf('#0f766e')).toEqual({ ratio: 5.47, isEnough: true })
  expect(contrastOf('#777777')).toEqual({ ratio: 4.47, isEnough: false })
})

test.each([
  ['image/png', 100_000, undefined],
  ['image/webp', 100_001, 'logo_too_heavy'],
  ['image/svg+xml', 300, 'logo_not_picture'],
  ['', 300, 'logo_not_picture'],
])(
  'for a logo file of type %j with %i bytes, the branding form reports the error %s (undefined means that the file is allowed)',
  (type, size, id) => {
    expect(faultOfFile({ type, size })?.id).toBe(id)
  },
)

test('a logo file is base64-encoded both for the API and for the preview', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const read = await logoIn(new File([bytes], 'logo.jpg'), 'image/jpeg')
  expect(read).toEqual({ content_type: 'image/jpeg', data: Buffer.from(bytes).toString('base64') })
  expect(dataUrl(logo)).toBe('data:image/png;base64,iVBORw==')
})
