import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, expectTypeOf, test } from 'vitest'
import { aPayment } from '../test/service.ts'
import { type WebhookEvent, WebhookVerificationError, webhooks } from './index.ts'

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const secret = newSecret()

const event: WebhookEvent = {
  id: '01990000-0000-7000-8000-000000000002',
  type: 'payment.paid',
  created_at: '2026-11-20T03:14:05.678Z',
  mode: 'test',
  previous_status: 'pending',
  data: {
    ...aPayment,
    customer_name: 'Sri Wahyuni – Jalan Melati №5',
    status: 'paid',
    paid_at: '2026-11-20T03:14:05.678Z',
    amount_paid: 10_000_000,
  },
}
const body = JSON.stringify(event)
const refused = (verification: Promise<unknown>) =>
  expect(verification).rejects.toBeInstanceOf(WebhookVerificationError)
const secondsFromNow = (seconds: number) => new Date(Date.now() + seconds * 1_000)

/**
 * Signs the event with the service's signing code, so that the tests check the SDK's implementation against the
 * service's implementation.
 */
async function signedByService(secrets: string[], at = new Date()): Promise<Record<string, string>> {
  const { signedHeaders } = await import(
    new URL('../../server/src/webhooks/delivery/sign.ts', import.meta.url).href
  )
  return signedHeaders({ id: event.id, type: event.type, body }, secrets, at)
}

test('verify accepts and parses a webhook signed by the service', async () => {
  expect(await webhooks.verify(body, await signedByService([secret]), secret)).toEqual(event)
})

test('sign returns the same webhook headers as the service', async () => {
  const at = new Date('2026-11-20T03:14:05.678Z')
  const secrets = [newSecret(), secret]
  expect(await webhooks.sign(body, secrets, { at })).toEqual(await signedByService(secrets, at))
})

test('the Standard Webhooks library accepts the headers that the function sign returns', async () => {
  expect(new Webhook(secret).verify(body, await webhooks.sign(body, secret))).toEqual(event)
})

test('verify accepts webhook bodies and headers in the forms in which common frameworks pass them', async () => {
  const signed = await webhooks.sign(body, secret)
  const shouted = Object.fromEntries(
    Object.entries(signed).map(([name, value]) => [name.toUpperCase(), [value]]),
  )
  for (const headers of [signed, shouted, new Headers(signed)]) {
    const bytes = new TextEncoder().encode(body)
    for (const raw of [body, Buffer.from(body), bytes, bytes.buffer]) {
      expect(await webhooks.verify(raw, headers, secret)).toEqual(event)
    }
  }
})

test('verify returns the original body, even if the caller overwrites the buffer during the call', async () => {
  const signed = await webhooks.sign(body, secret)
  for (const given of ['buffer', 'array'] as const) {
    const bytes = new TextEncoder().encode(body)
    const verified = webhooks.verify(given === 'buffer' ? bytes.buffer : bytes, signed, secret)
    bytes.fill(0)
    expect(await verified).toEqual(event)
  }
})

test('verify accepts X-Service-Signature as the only signature only if allowLegacy is true', async () => {
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const legacy = { 'x-service-signature': signature }
  await refused(webhooks.verify(body, legacy, secret))
  await refused(webhooks.verify(body, legacy, secret, { allowLegacy: false }))
  expect(await webhooks.verify(body, legacy, secret, { allowLegacy: true })).toEqual(event)
  const wrong = { 'x-service-signature': signature.replace(/.$/, last => (last === '0' ? '1' : '0')) }
  await refused(webhooks.verify(body, wrong, secret, { allowLegacy: true }))
})

test('verify rejects a webhook without X-Service-Signature, even if its Standard Webhooks headers are valid', async () => {
  const { 'x-service-signature': _, ...standardOnly } = await webhooks.sign(body, secret)
  for (const options of [{}, { allowLegacy: true }]) {
    await refused(webhooks.verify(body, standardOnly, secret, options))
    await refused(webhooks.verify(body, {}, secret, options))
  }
})

test('flipping any single bit in a webhook’s body or headers invalidates the signature', async () => {
  const signed = await webhooks.sign(body, secret)
  const parts = { ...signed, body }
  delete (parts as Record<string, string>)['content-type']
  const spot = fc.constantFrom(...(Object.keys(parts) as (keyof typeof parts)[])).chain(part =>
    fc.record({
      part: fc.constant(part),
      byte: fc.nat(Buffer.byteLength(parts[part] as string) - 1),
      bit: fc.nat(7),
    }),
  )
  await fc.assert(
    fc.asyncProperty(spot, async ({ part, byte, bit }) => {
      const bytes = Buffer.from(parts[part] as string)
      bytes[byte] = (bytes[byte] as number) ^ (1 << bit)
      await refused(
        part === 'body'
          ? webhooks.verify(bytes, signed, secret)
          : webhooks.verify(body, { ...signed, [part]: bytes.toString('latin1') }, secret),
      )
    }),
    { numRuns: 500 },
  )
})

test('verify accepts a signed webhook event with any customer name and any amount', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.integer(), async (name, amount) => {
      const sent = { ...event, data: { ...event.data, customer_name: name, amount } }
      const raw = JSON.stringify(sent)
      expect(await webhooks.verify(raw, await webhooks.sign(raw, secret), secret)).toEqual(sent)
    }),
  )
})

test('verify rejects a webhook body that was parsed and serialized again', async () => {
  const signed = await webhooks.sign(body, secret)
  await refused(webhooks.verify(JSON.stringify(JSON.parse(body), null, 2), signed, secret))
})

test('verify throws an error that asks for the raw body if the webhook body was already parsed', async () => {
  const signed = await webhooks.sign(body, secret)
  for (const parsed of [JSON.parse(body), { length: 1e9 }, 5, null, undefined]) {
    await expect(webhooks.verify(parsed, signed, secret)).rejects.toThrow(/^pass the raw body/)
  }
})

test.each([undefined, null, 'v1,signature'])(
  'verify throws a TypeError if it gets no headers (%j), because it cannot verify any delivery without headers',
  async headers => {
    await expect(webhooks.verify(body, headers as never, secret)).rejects.toThrow(
      new TypeError('pass the headers of the request'),
    )
  },
)

test('verify reads only the webhook body, even if it is part of a larger buffer', async () => {
  const around = Buffer.from(`before${body}after`)
  const raw = around.subarray(6, 6 + Buffer.byteLength(body))
  expect(await webhooks.verify(raw, await webhooks.sign(body, secret), secret)).toEqual(event)
})

test('verify rejects a webhook whose timestamp is more than five minutes in the past or the future', async () => {
  const verifyAt = async (seconds: number, options?: { toleranceSeconds: number }) =>
    webhooks.verify(body, await webhooks.sign(body, secret, { at: secondsFromNow(seconds) }), secret, options)
  await refused(verifyAt(-310))
  await refused(verifyAt(310))
  expect(await verifyAt(-290)).toEqual(event)
  expect(await verifyAt(-3_500, { toleranceSeconds: 3_600 })).toEqual(event)
  await refused(verifyAt(-10, { toleranceSeconds: 5 }))
})

test('verify rejects an old webhook that lacks one of the three webhook- headers, even if allowLegacy is true', async () => {
  const old = await webhooks.sign(body, secret, { at: secondsFromNow(-3_600) })
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    for (const allowLegacy of [false, true])
      await refused(webhooks.verify(body, { ...old, [name]: undefined }, secret, { allowLegacy }))
  }
  await refused(webhooks.verify(body, { ...old, 'webhook-timestamp': 'now' }, secret))
})

test('while the webhook secret is being rotated, verify accepts a webhook if the receiver knows either secret', async () => {
  const [older, newer] = [newSecret(), newSecret()]
  const rotating = await signedByService([newer, older])
  expect(await webhooks.verify(body, rotating, older)).toEqual(event)
  expect(await webhooks.verify(body, rotating, newer)).toEqual(event)
  expect(await webhooks.verify(body, rotating, [newer, older])).toEqual(event)
  // A receiver that knows both secrets also accepts webhooks signed with only one of them: the old secret before the
  // rotation, or the new secret after the rotation.
  expect(await webhooks.verify(body, await signedByService([older]), [newer, older])).toEqual(event)
  expect(await webhooks.verify(body, await signedByService([newer]), [newer, older])).toEqual(event)
  await refused(webhooks.verify(body, rotating, newSecret()))
  await refused(webhooks.verify(body, await signedByService([newer]), older))
})

test('verify rejects a webhook if all of its signatures were made with unknown secrets', async () => {
  const forged = await webhooks.sign(body, [newSecret(), newSecret()])
  await refused(webhooks.verify(body, forged, secret))
})

test('verify throws a TypeError if its webhook secret is invalid', async () => {
  const signed = await webhooks.sign(body, secret)
  for (const wrong of [
    '',
    'whsec_',
    'secret',
    'whsec_ä',
    'whsec_abcde',
    undefined as unknown as string,
    [],
  ]) {
    await expect(webhooks.verify(body, signed, wrong)).rejects.toBeInstanceOf(TypeError)
    await expect(webhooks.sign(body, wrong)).rejects.toBeInstanceOf(TypeError)
  }
})

test('verify rejects a webhook with a valid signature if its body is not an event', async () => {
  for (const raw of ['', 'null', '[]', '{"id":1,"type":"payment.paid"}', 'paid']) {
    const signature = `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`
    const legacy = { 'x-service-signature': signature }
    await refused(webhooks.verify(raw, legacy, secret, { allowLegacy: true }))
  }
})

test('the module that verifies webhooks does not import client code', () => {
  // Returns all modules that the file imports at run time. Type imports are left out, because bundlers remove them.
  const imported = (file: string): string[] => {
    const source = readFileSync(new URL(file, import.meta.url), 'utf8')
    return [...source.matchAll(/^(?:import|export) (?!type )[^']*'(\.\/[^']+)'/gm)].flatMap(
      ([, next = '']) => [next, ...imported(next)],
    )
  }
  expect(new Set(imported('./webhooks.ts'))).toEqual(new Set(['./errors.ts']))
})

test("checking an event's type narrows its payment's type without a cast", () => {
  const received = (event: WebhookEvent) => (event.type === 'payment.paid' ? event.data.amount_paid : null)
  expectTypeOf(received).returns.toEqualTypeOf<number | null>()
  // @ts-expect-error: creating a payment sends no webhook
  const created = (event: WebhookEvent) => event.type === 'payment.created'
  expect(received(event)).toBe(10_000_000)
  expect(created(event)).toBe(false)
})
