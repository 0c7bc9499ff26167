import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { newWebhookSecret, signedHeaders } from './sign.ts'

const secret = newWebhookSecret()
const old = newWebhookSecret()
const event = { id: '01990000-0000-7000-8000-000000000002', type: 'payment.paid', body: '{"a":"é 😀"}' }
/**
 * Returns the current time. The tests cannot use a fixed time, because the Standard Webhooks library rejects
 * old timestamps.
 */
const present = () => new Date()
const verifies = (headers: Record<string, string>, body: string, with_: string): boolean => {
  try {
    new Webhook(with_).verify(body, headers)
    return true
  } catch {
    return false
  }
}

test('a webhook secret consists of `whsec_` followed by 32 random bytes in base64', () => {
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(secret).not.toBe(old)
})

describe('webhook deliveries are signed with the webhook secret', () => {
  test("a webhook delivery's headers contain the event's id and type", () => {
    expect(signedHeaders(event, [secret], new Date('2026-11-20T03:04:05.678Z'))).toMatchObject({
      'content-type': 'application/json',
      'x-service-event-id': event.id,
      'x-service-event-type': 'payment.paid',
      'webhook-id': event.id,
      'webhook-timestamp': '1795143845',
    })
  })

  test("a webhook delivery's signatures match those computed by an independent implementation", () => {
    const headers = signedHeaders(
      { id: 'evt_1', type: 'payment.paid', body: '{"a":1}' },
      ['whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='],
      new Date(1_600_000_000_999),
    )
    expect(headers).toMatchObject({
      'x-service-signature': 'sha256=d3f1ea16147b8b8d0304fe2a9559b4b4b84d057af19b132191df3378cbd1234a',
      'webhook-timestamp': '1600000000',
      'webhook-signature': 'v1,oglfj63dyJxD3kuiD2yl6cLT13CVCaUJX38vQ+DAQ94=',
    })
  })

  test('the Standard Webhooks library accepts a webhook delivery, but rejects it with another secret or body', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        const body = JSON.stringify({ text })
        const headers = signedHeaders({ ...event, body }, [secret], present())
        expect(verifies(headers, body, secret)).toBe(true)
        expect(verifies(headers, `${body} `, secret)).toBe(false)
        expect(verifies(headers, body, old)).toBe(false)
        expect(verifies({ ...headers, 'webhook-id': 'other' }, body, secret)).toBe(false)
      }),
    )
  })

  test("a webhook's X-Service-Signature covers its exact bytes and uses the whole secret string as the key", () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), body => {
        const key = Buffer.from(secret, 'utf8')
        const expected = createHmac('sha256', key).update(Buffer.from(body, 'utf8')).digest('hex')
        expect(signedHeaders({ ...event, body }, [secret], present())['x-service-signature']).toBe(
          `sha256=${expected}`,
        )
      }),
    )
  })

  test('during a secret rotation, both secrets sign webhooks, but X-Service-Signature uses only the new secret', () => {
    const both = signedHeaders(event, [secret, old], present())
    expect([verifies(both, event.body, secret), verifies(both, event.body, old)]).toEqual([true, true])
    expect(both['webhook-signature']?.split(' ')).toHaveLength(2)
    const alone = signedHeaders(event, [secret], present())
    expect(both['x-service-signature']).toBe(alone['x-service-signature'])
    expect(verifies(alone, event.body, old)).toBe(false)
  })

  test("changing one byte of a webhook's body invalidates both of its signatures", () => {
    const headers = signedHeaders(event, [secret], present())
    const bytes = Buffer.from(event.body)
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const changed = Buffer.from(bytes)
        changed.writeUInt8(changed.readUInt8(at) ^ mask, at)
        expect(verifies(headers, changed.toString('latin1'), secret)).toBe(false)
        expect(`sha256=${createHmac('sha256', secret).update(changed).digest('hex')}`).not.toBe(
          headers['x-service-signature'],
        )
      }),
    )
  })
})
