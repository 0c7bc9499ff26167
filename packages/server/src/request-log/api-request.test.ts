import { expect, test } from 'vitest'
import { type SeenRequest, withoutSecrets } from './api-request.ts'

const storedUserAgent = (userAgent: string) =>
  withoutSecrets({ route: '/', params: {}, requestId: '', userAgent } as unknown as SeenRequest, 'id')
    .userAgent

test.each([
  ['shop/1 gp_live_0123456789', 'shop/1 [redacted]'],
  ['whsec_abc;x', '[redacted]'],
  ['eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', '[redacted]'],
  ['Bearer abc def', '[redacted] def'],
  ['token=abc&x', '[redacted]'],
  ['mail (budi.santoso@shop.example)', 'mail ([redacted])'],
  ['curl/8.5.0', 'curl/8.5.0'],
  // The search ends within the email address, so the address is not recognized and is cut off.
  [`gp_live_${'a'.repeat(490)} siti.rahma.sari@shop.example`, ''],
  [`gp_live_${'a'.repeat(15_000)}`, '[redacted]'],
])('of the User-Agent %j, the request log stores %j', (userAgent, stored) => {
  expect(storedUserAgent(userAgent)).toBe(stored)
})

test.each(['@', 'a', 'a.', 'eyJ', 'basic ', ' '])(
  'a User-Agent that repeats %j for 15,000 characters is stored as at most 256 characters',
  part => {
    expect(storedUserAgent(part.repeat(15_000 / part.length))?.length).toBeLessThanOrEqual(256)
  },
)
