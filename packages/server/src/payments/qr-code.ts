// The picture of a QRIS code. Many providers give the code alone, and a merchant who draws nothing needs an address.

import { encode } from 'uqr'
import type { MethodData } from './method.ts'

/** ISO/IEC 18004: what the largest code holds at error correction M. QRIS itself ends at 512. */
const MAX_BYTES = 2_331
/** The margin in modules that scanners are promised. */
const QUIET_ZONE = 4
const PIXELS_OF_MODULE = 4

export const isDrawable = (content: string): boolean =>
  content !== '' && Buffer.byteLength(content) <= MAX_BYTES

/** Of a payment whose provider gave a code without a picture, the address at which we draw it (http/qr-picture.ts). */
export function withPicture(data: MethodData, paymentCode: string, publicUrl: string): MethodData {
  if (data.type !== 'qris' || data.qr_image_url !== '' || !isDrawable(data.qr_string)) return data
  return { ...data, qr_image_url: `${publicUrl}/qr/${paymentCode}.svg` }
}

/** SVG, black on white: each run of dark modules in a row is a bar of the one path. */
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
