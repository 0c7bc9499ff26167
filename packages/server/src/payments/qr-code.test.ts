import { expect, test } from 'vitest'
import type { MethodData } from './method.ts'
import { drawQrCode, withQrImageUrl } from './qr-code.ts'

const CODE = 'GP261120-7Q4M2ZK8XW'
const qris = (qr_string: string, qr_image_url = ''): MethodData => ({
  type: 'qris',
  qr_string,
  qr_image_url,
})
const pictured = (data: MethodData) => withQrImageUrl(data, CODE, 'https://pay.example.com/gapura')

test('payment instructions with a QR code but no image get an image URL of this service', () => {
  const qr_image_url = `https://pay.example.com/gapura/qr/${CODE}.svg`
  expect(pictured(qris('00020101'))).toEqual(qris('00020101', qr_image_url))
})

test("payment instructions keep the provider's QR image, and instructions without a QR code get no image URL", () => {
  const account = { type: 'virtual_account', bank: 'BCA', va_number: '812785002530231' } as const
  for (const data of [qris('00020101', 'https://qr.example.com/1'), qris(''), account])
    expect(pictured(data)).toBe(data)
})

test.each(['x', 'é'])(
  'the longest QR code text of the letter %j that can be drawn gets an image URL, and a longer text gets none',
  letter => {
    const longest = letter.repeat(Math.floor(2_331 / Buffer.byteLength(letter)))
    expect(pictured(qris(longest))).not.toEqual(qris(longest))
    expect(drawQrCode(longest)).toMatch(
      /^<svg [^<>]*viewBox="0 0 185 185"[^<>]*><rect [^<>]*\/><path d="[Mhvz\d -]*"\/><\/svg>$/,
    )
    const longer = qris(longest + letter)
    expect(pictured(longer)).toBe(longer)
  },
)
