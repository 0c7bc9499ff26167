// Draws the image of a QRIS code. Many providers return only the code as text, and some merchants need an image
// URL.

import { encode } from 'uqr'
import type { MethodData } from './method.ts'

/**
 * The capacity, in bytes, of the largest QR code at error correction level M (ISO/IEC 18004). The capacity is
 * sufficient for QRIS codes, which have at most 512 bytes.
 */
const MAX_BYTES = 2_331
/**
 * The width of the empty margin around a QR code ("quiet zone"), in modules. The QR code standard requires
 * this width.
 */
const QUIET_ZONE = 4
const PIXELS_OF_MODULE = 4

export const isDrawable = (content: string): boolean =>
  content !== '' && Buffer.byteLength(content) <= MAX_BYTES

/**
 * Adds the URL of this service's QR image (http/pages/qr-picture.ts) to payment instructions if the provider
 * returned no image.
 */
export function withQrImageUrl(data: MethodData, paymentCode: string, publicUrl: string): MethodData {
  if (data.type !== 'qris' || data.qr_image_url !== '' || !isDrawable(data.qr_string)) return data
  return { ...data, qr_image_url: `${publicUrl}/qr/${paymentCode}.svg` }
}

/** Draws a QR code as a black-on-white SVG with one path. Each horizontal run of dark modules becomes one bar. */
export function drawQrCode(content: string): string {
  const { data, size } = encode(content, { ecc: 'M', border: QUIET_ZONE })
  const bars = data.flatMap((row, y) =>
    [
      ...row
        .map(isDark => (isDark ? '#' : ' '))
        .join('')
        .matchAll(/#+/g),
    ].map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`),
  )
  const pixels = size * PIXELS_OF_MODULE
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${pixels}" height="${pixels}" shape-rendering="crispEdges">` +
    `<rect width="${size}" height="${size}" fill="#fff"/><path d="${bars.join('')}"/></svg>`
  )
}
