// Serves /qr/<payment code>.svg, the QR code that a payer scans to pay by QRIS. Anyone who knows the payment code can
// get the image, which contains only the code that the payer's camera reads.

import type Router from '@koa/router'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import { drawQrCode, isDrawable } from '../../payments/qr-code.ts'
import { findPaymentByCode } from '../../payments/read/payment-list.sql.ts'

/**
 * The maximum size of the cache for QR images, in characters. An image has about 8,000 characters. The cache halves the
 * time that a request for an image takes.
 */
const KEPT_CHARACTERS = 8 * 1024 * 1024

export function mountQrPicture(router: Router, db: Db): void {
  const drawn = new LRUCache<string, string>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: picture => picture.length,
  })
  router.get('/qr/:code.svg', async ctx => {
    const { code = '' } = ctx.params
    const picture = drawn.get(code) ?? (await draw(code))
    ctx.set({
      // The image can be cached, because a payment's QRIS code never changes after it is published.
      'Cache-Control': 'public, max-age=31536000, immutable',
      // Allows shops to embed the QR image in their own pages.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    })
    ctx.type = 'image/svg+xml'
    ctx.body = picture
  })

  async function draw(code: string): Promise<string> {
    const data = (await findPaymentByCode(db, code))?.methodData
    if (data?.type !== 'qris' || !isDrawable(data.qr_string)) throw fault('qr_code_not_found', { code })
    const picture = drawQrCode(data.qr_string)
    drawn.set(code, picture)
    return picture
  }
}
