// Tests that, at every provider, a QRIS payment has the URL of a QR image that a browser can display.

import { encode } from 'uqr'
import { beforeAll, expect, test } from 'vitest'
import { newPaymentCode } from '../../src/payments/payment-code.ts'
import { findPaymentByCode } from '../../src/payments/read/payment-list.sql.ts'
import { providers } from '../../src/providers/registry.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { until } from '../support/merchant.ts'
import { merchantWith } from '../support/merchant-of-provider.ts'
import { sentWhile } from '../support/sent-statements.ts'

let { app, demo, advance }: TestApp = {} as TestApp
beforeAll(async () => {
  ;({ app, demo, advance } = await testApp())
})

const qris = { amount: 5_000_000, method_type: 'qris', method_detail: { type: 'qris' } }
const withQris = [...providers.values()].filter(({ methods }) => methods.some(({ type }) => type === 'qris'))

/** Reads the SVG image. Returns for each row of the QR code which of its modules (squares) are dark. */
function modulesOf(svg: string): boolean[][] {
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
  const rows = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    rows[Number(y)]?.fill(true, Number(x), Number(x) + Number(length))
  return rows
}

const expectPicture = async (url: string, content: string) => {
  const answer = await fetch(url)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  const { data } = encode(content, { ecc: 'M', border: 4 })
  expect(data.length).toBeGreaterThan(29)
  expect(modulesOf(await answer.text())).toEqual(data)
  return answer.headers
}

test.each(withQris.map(({ code }) => code))(
  'a QRIS payment at the provider %s has a QR string and the URL of an image',
  async code => {
    const { data } = await (await merchantWith(app, demo, code)).create(qris)
    expect(data.method_data).toEqual({
      type: 'qris',
      qr_string: expect.stringMatching(/./),
      qr_image_url: expect.any(String),
    })
    expect(URL.canParse(data.method_data.qr_image_url)).toBe(true)
  },
)

test.each(['xendit', 'doku'])(
  'if the provider %s returns only a QR string, the service serves a cacheable image and reads the string only once',
  async code => {
    const merchant = await merchantWith(app, demo, code)
    const { data } = await merchant.create(qris)
    const { qr_string, qr_image_url } = data.method_data
    expect(qr_image_url).toBe(`${demo.base_url}/qr/${data.payment_code}.svg`)
    for (const lookups of [1, 0]) {
      let headers = new Headers()
      const sent = await sentWhile(async () => {
        headers = await expectPicture(qr_image_url, qr_string)
      })
      expect(sent.filter(({ text }) => text.includes('payment_references'))).toHaveLength(lookups)
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'cross-origin',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
      })
    }
    expect((await merchant.get(data.id)).data.method_data).toEqual(data.method_data)
  },
)

test('a QRIS payment has a QR image even if its QR string comes from a status inquiry', async () => {
  const merchant = await merchantWith(app, demo, 'xendit')
  await merchant.create({ ...qris, customer_name: 'SANDBOX TIMEOUT' }, 'lost')
  const code = await codeOf(merchant, 'lost')
  advance(6_000)
  const data = await until('the status inquiry has returned', async () => {
    const payment = await findPaymentByCode(app.db, code)
    return payment?.methodData?.type === 'qris' && payment.methodData
  })
  expect(data.qr_image_url).toBe(`${demo.base_url}/qr/${code}.svg`)
  await expectPicture(data.qr_image_url, data.qr_string)
})

test('no QR image is served for unknown payment codes, other payment methods, rejected charges, or other paths', async () => {
  const merchant = await merchantWith(app, demo, 'xendit')
  const taken = (await merchant.create(qris)).data.payment_code
  const account = await merchant.create()
  await merchant.create({ ...qris, customer_name: 'SANDBOX REJECT' }, 'refused')
  const missing = [
    newPaymentCode(new Date()),
    account.data.payment_code,
    await codeOf(merchant, 'refused'),
    `${taken}-2`,
    `${taken}'`,
    `${taken}%00`,
    'x'.repeat(1_000),
  ].map(code => `/qr/${code}.svg`)
  for (const path of [...missing, `/qr/${taken}`, `/qr/${taken}.png`, '/qr/.svg', '/qr/']) {
    const answer = await fetch(demo.base_url + path)
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 404, 'no-store'])
    expect(await answer.json()).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } })
  }
})

async function codeOf({ tenantId }: { tenantId: string }, key: string): Promise<string> {
  const { rows } = await app.db.raw(
    'select payment_code from payments where tenant_id = ? and idempotency_key = ?',
    [tenantId, key],
  )
  return rows[0].payment_code
}
