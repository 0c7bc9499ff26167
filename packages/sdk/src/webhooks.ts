// Webhooks carry two signatures, both HMAC-SHA256 (the secret is `whsec_` + base64):
// - X-Service-Signature: over the body, keyed with the bytes of the whole secret string;
// - webhook-signature (Standard Webhooks): over id.timestamp.body, keyed with the decoded base64, one for
//   each secret while a secret is being rotated.
// Signatures are compared as they are written: two base64 strings can decode to the same bytes.

import { WebhookVerificationError } from './errors.ts'
import type * as generated from './generated/types.gen.ts'

export { WebhookVerificationError } from './errors.ts'

type Bytes = Uint8Array<ArrayBuffer>

/**
 * A change of a payment's status told by a webhook, money that moved for a payment which stays paid, or a test of
 * the callback URL. `type` tells them apart. More types may come: leave those you do not know alone.
 *
 * @example
 * function heed(event: WebhookEvent) {
 *   if (event.type === 'payment.paid') ship(event.data.payment_code, event.data.amount_paid)
 * }
 */
export type WebhookEvent = generated.WebhookEvent

/**
 * Headers as `fetch`, Node's `http` and their frameworks hand them over.
 *
 * @example
 * const headers: WebhookHeaders = request.headers
 */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

/**
 * How strictly to verify.
 *
 * @example
 * const options: VerifyOptions = { toleranceSeconds: 60 }
 */
export type VerifyOptions = {
  /** How far the sender's clock may be from ours, and how old a delivery may be (300). */
  toleranceSeconds?: number | undefined
  /**
   * true accepts a delivery that has `X-Service-Signature` and none of the `webhook-` headers, for a receiver behind
   * something that removes them (false). Such a delivery can be replayed at any time: ignore an `event.id` that you
   * have handled.
   */
  allowLegacy?: boolean | undefined
}

/**
 * The event that a webhook tells, once its signatures are known to be the service's; otherwise throws
 * `WebhookVerificationError`. Give it the body exactly as it arrived, before any JSON parser, and both
 * secrets while one is being rotated. A delivery without the `webhook-` headers, which hold it to `toleranceSeconds`, is
 * refused unless `allowLegacy` is true.
 *
 * @example
 * const event = await webhooks.verify(await request.text(), request.headers, 'whsec_…')
 * if (event.type === 'payment.paid') console.log(event.data.amount_paid)
 */
export async function verify(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, allowLegacy = false }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = bytesOf(rawBody)
  const keys = keysOf(secrets)
  const header = (name: string) => headerOf(headers, name)

  const standard = standardHeadersOf(header, allowLegacy)
  const rotating = standard !== undefined && (await checkStandard(standard, body, keys, toleranceSeconds))
  const expected = await Promise.all(keys.map(key => serviceSignature(key, body)))
  // During a rotation this header is the new secret's alone, which the receiver need not know yet: the
  // standard signature, which covers more, has been checked then.
  if (!rotating && !isAnyOf(header('x-service-signature') ?? '', expected))
    throw new WebhookVerificationError('X-Service-Signature is missing or does not match the body')

  const event = parse(body)
  // These headers are not signed, the body is.
  if ((header('x-service-event-id') ?? event.id) !== event.id)
    throw new WebhookVerificationError('X-Service-Event-Id is not the id of the event')
  if ((header('x-service-event-type') ?? event.type) !== event.type)
    throw new WebhookVerificationError('X-Service-Event-Type is not the type of the event')
  return event
}

/**
 * Every header that the service would send with this body, to test a receiver with.
 *
 * @example
 * const body = JSON.stringify(event)
 * const headers = await webhooks.sign(body, 'whsec_…')
 * await fetch('http://127.0.0.1:3000/hooks/gapura', { method: 'POST', headers, body })
 */
export async function sign(
  rawBody: string,
  secrets: string | readonly string[],
  { at = new Date() }: { at?: Date | undefined } = {},
): Promise<Record<string, string>> {
  const body = utf8.encode(rawBody)
  const keys = keysOf(secrets)
  const { id, type } = parse(body)
  const timestamp = Math.floor(at.getTime() / 1_000).toString()
  const signatures = keys.map(key => standardSignature(key, id, timestamp, body))
  return {
    'content-type': 'application/json',
    'x-service-event-id': id,
    'x-service-event-type': type,
    'x-service-signature': await serviceSignature(keys[0], body),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': (await Promise.all(signatures)).join(' '),
  }
}

/** What a parser made of the body cannot be verified. That is the receiver's mistake, and not the sender's. */
function bytesOf(rawBody: string | Uint8Array): Bytes {
  if (typeof rawBody === 'string') return utf8.encode(rawBody)
  // Not every Uint8Array is the global one's instance; Jest's Buffer is none.
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody)
  throw new TypeError('the raw body is needed, as text or bytes: take it before any JSON parser does')
}

type StandardHeaders = { id: string; timestamp: string; signatures: string[] }

/** Undefined where none of them came and that is allowed: some of them alone prove nothing. */
function standardHeadersOf(
  header: (name: string) => string | undefined,
  allowLegacy: boolean,
): StandardHeaders | undefined {
  const id = header('webhook-id')
  const timestamp = header('webhook-timestamp')
  const signatures = header('webhook-signature')?.split(' ')
  if (allowLegacy && id === undefined && timestamp === undefined && signatures === undefined) return undefined
  if (id === undefined || timestamp === undefined || signatures === undefined)
    throw new WebhookVerificationError('webhook-id, webhook-timestamp and webhook-signature are required')
  return { id, timestamp, signatures }
}

/** Throws unless the standard headers hold. Returns whether they show that a secret is being rotated. */
async function checkStandard(
  { id, timestamp, signatures }: StandardHeaders,
  body: Bytes,
  keys: Keys,
  toleranceSeconds: number,
): Promise<boolean> {
  const expected = await Promise.all(keys.map(key => standardSignature(key, id, timestamp, body)))
  // Every pair is compared, so that the time tells nothing of which one matched.
  const matching = signatures.filter(signature => isAnyOf(signature, expected))
  if (matching.length === 0)
    throw new WebhookVerificationError('webhook-signature does not match id, timestamp and body')
  if (parse(body).id !== id) throw new WebhookVerificationError('webhook-id is not the id of the event')
  const ageSeconds = Date.now() / 1_000 - Number(timestamp)
  if (!(Math.abs(ageSeconds) <= toleranceSeconds))
    throw new WebhookVerificationError(
      `webhook-timestamp ${timestamp} is more than ${toleranceSeconds} s from now; is the clock right?`,
    )
  return signatures.length > 1
}

async function serviceSignature({ whole }: Key, body: Bytes): Promise<string> {
  const mac = await hmac(whole, body)
  return `sha256=${Array.from(mac, byte => byte.toString(16).padStart(2, '0')).join('')}`
}

async function standardSignature(
  { decoded }: Key,
  id: string,
  timestamp: string,
  body: Bytes,
): Promise<string> {
  const before = utf8.encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(before.length + body.length)
  signed.set(before)
  signed.set(body, before.length)
  return `v1,${btoa(String.fromCharCode(...(await hmac(decoded, signed))))}`
}

async function hmac(key: Bytes, data: Bytes): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data))
}

type Key = { whole: Bytes; decoded: Bytes }
type Keys = [Key, ...Key[]]

/** Newest first. An unset variable must not verify anything. */
function keysOf(secrets: string | readonly string[]): Keys {
  const keys = [secrets].flat().map(secret => {
    const base64 = /^whsec_((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(
      secret ?? '',
    )?.[1]
    if (base64 === undefined)
      throw new TypeError('a webhook secret is whsec_ and base64; the dashboard shows it')
    return { whole: utf8.encode(secret), decoded: Uint8Array.from(atob(base64), char => char.charCodeAt(0)) }
  })
  if (keys.length === 0) throw new TypeError('a webhook secret is needed')
  return keys as Keys
}

function parse(body: Bytes): WebhookEvent {
  let event: Partial<WebhookEvent> | null = null
  try {
    event = JSON.parse(new TextDecoder().decode(body))
  } catch {
    // Said below.
  }
  if (typeof event?.id !== 'string' || typeof event.type !== 'string')
    throw new WebhookVerificationError('the body is no event')
  return event as WebhookEvent
}

/** A header given twice is joined as `fetch` does, and then matches nothing. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  // Not every Headers is the global one's instance.
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name && value !== undefined) return [value].flat().join(', ')
  }
  return undefined
}

const isAnyOf = (given: string, expected: string[]): boolean =>
  expected.filter(each => isEqual(given, each)).length > 0

/** Takes the same time wherever the two differ. */
function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

const utf8 = new TextEncoder()
