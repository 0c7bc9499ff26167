// Verifies and signs webhooks. A webhook has two HMAC-SHA256 signatures. The secret is `whsec_` followed by base64.
// The signatures are:
// - X-Service-Signature: a signature of the body; its key is the whole secret, including the prefix `whsec_`,
//   as bytes.
// - webhook-signature (Standard Webhooks): a signature of id.timestamp.body; the key is the decoded base64.
//   During a rotation, there is one signature per secret.
//
// Signatures are compared as base64 text. Several base64 texts can decode to the same bytes, so a comparison of the
// bytes would accept each of these texts.

import { WebhookVerificationError } from './errors.ts'
import type * as generated from './generated/types.gen.ts'

export { WebhookVerificationError } from './errors.ts'

type Bytes = Uint8Array<ArrayBuffer>

/**
 * A webhook's body. Its `type` names the event, such as a change of a payment's status. Ignore unknown types,
 * because new types may be added.
 *
 * @example
 * function handle(event: WebhookEvent) {
 *   if (event.mode !== 'live' || event.type !== 'payment.paid') return
 *   if (event.data.amount_paid >= event.data.amount) ship(event.data.payment_code)
 * }
 */
export type WebhookEvent = generated.WebhookEvent

/**
 * Headers as provided by `fetch`, Node's `http` and frameworks built on them.
 *
 * @example
 * const headers: WebhookHeaders = request.headers
 */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

/**
 * Options of `webhooks.verify`.
 *
 * @example
 * const options: VerifyOptions = { toleranceSeconds: 60 }
 */
export type VerifyOptions = {
  /** The maximum difference, in seconds, between `webhook-timestamp` and the current time (default 300). */
  toleranceSeconds?: number | undefined
  /**
   * Whether to accept deliveries that have a valid `X-Service-Signature` but no `webhook-` headers (default
   * false). Set it to true if a proxy removes these headers. An attacker can replay such a delivery, so
   * ignore every `event.id` that you have already handled.
   */
  allowLegacy?: boolean | undefined
}

/**
 * Verifies a webhook and returns its event. Pass the body exactly as received, before it is parsed as JSON. During a
 * rotation, pass the old and the new secret. Throws `WebhookVerificationError` if a signature is invalid or missing, or
 * if the timestamp is too old or too far in the future. A delivery without the `webhook-` headers is rejected unless
 * you set `allowLegacy`, because it has no timestamp. Throws `TypeError` if a secret, the headers or the body have the
 * wrong type.
 *
 * @example
 * const event = await webhooks.verify(await request.text(), request.headers, 'whsec_…')
 * if (event.type === 'payment.paid') console.log(event.data.amount_paid)
 */
export async function verify(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, allowLegacy = false }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = bytesOf(rawBody)
  const keys = keysOf(secrets)
  // If the caller passes no headers, throws a TypeError, because every delivery would fail. This is a mistake in the
  // receiver's code, not an invalid delivery.
  if (typeof headers !== 'object' || headers === null) throw new TypeError('pass the headers of the request')
  const header = (name: string) => headerOf(headers, name)

  const standard = standardHeadersOf(header, allowLegacy)
  const rotating = standard !== undefined && (await checkStandard(standard, body, keys, toleranceSeconds))
  const expected = await Promise.all(keys.map(key => serviceSignature(key, body)))
  // During a rotation of the webhook secret, X-Service-Signature is not checked. It is made with the new secret, and
  // the receiver may know only the old one. The standard signature, verified above, also covers the body.
  if (!rotating && !isAnyOf(header('x-service-signature') ?? '', expected))
    throw new WebhookVerificationError('X-Service-Signature is missing or does not match the body')

  const event = parse(body)
  // The headers X-Service-Event-Id and X-Service-Event-Type are not signed, so they are compared with the signed body.
  if ((header('x-service-event-id') ?? event.id) !== event.id)
    throw new WebhookVerificationError('X-Service-Event-Id does not match the event id')
  if ((header('x-service-event-type') ?? event.type) !== event.type)
    throw new WebhookVerificationError('X-Service-Event-Type does not match the event type')
  return event
}

/**
 * Returns every header that the service would send with this body. Use it to test a receiver.
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

/**
 * Returns a copy of the body as bytes. Without the copy, the caller could change the bytes during the verification, so
 * that the event differs from the verified body. A parsed body is a mistake in the receiver's code, so it causes a
 * TypeError instead of a verification error.
 */
function bytesOf(rawBody: string | Uint8Array | ArrayBuffer): Bytes {
  if (typeof rawBody === 'string') return utf8.encode(rawBody)
  // instanceof is not used, because it would not recognize arrays and buffers from another JavaScript realm, such as
  // Jest's Buffer.
  if (ArrayBuffer.isView(rawBody) || Object.prototype.toString.call(rawBody) === '[object ArrayBuffer]')
    return new Uint8Array(rawBody).slice()
  throw new TypeError('pass the raw body as text or bytes, before any JSON parser')
}

type StandardHeaders = { id: string; timestamp: string; signatures: string[] }

/**
 * Returns the three Standard Webhooks headers. If all three are missing and allowLegacy is true, returns undefined. In
 * all other cases, throws an error if a header is missing.
 */
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

/**
 * Checks the Standard Webhooks headers and throws an error if they are invalid. Returns true if the headers show that
 * a secret is being rotated.
 */
async function checkStandard(
  { id, timestamp, signatures }: StandardHeaders,
  body: Bytes,
  keys: Keys,
  toleranceSeconds: number,
): Promise<boolean> {
  const expected = await Promise.all(keys.map(key => standardSignature(key, id, timestamp, body)))
  // Every received signature is compared with every expected one, so that the timing does not reveal which one
  // matched.
  const matching = signatures.filter(signature => isAnyOf(signature, expected))
  if (matching.length === 0)
    throw new WebhookVerificationError('webhook-signature does not match the ID, timestamp and body')
  if (parse(body).id !== id) throw new WebhookVerificationError('webhook-id does not match the event id')
  const ageSeconds = Date.now() / 1_000 - Number(timestamp)
  if (!(Math.abs(ageSeconds) <= toleranceSeconds))
    throw new WebhookVerificationError(
      `webhook-timestamp ${timestamp} is more than ${toleranceSeconds} s from now; check the clock`,
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

/**
 * Decodes the secrets, newest first. Throws an error if a secret is invalid or undefined, for example because an
 * environment variable is not set.
 */
function keysOf(secrets: string | readonly string[]): Keys {
  const keys = [secrets].flat().map(secret => {
    const base64 = /^whsec_((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(
      secret ?? '',
    )?.[1]
    if (base64 === undefined)
      throw new TypeError('a webhook secret must be whsec_ followed by base64; copy it from the dashboard')
    return { whole: utf8.encode(secret), decoded: Uint8Array.from(atob(base64), char => char.charCodeAt(0)) }
  })
  if (keys.length === 0) throw new TypeError('a webhook secret is required')
  return keys as Keys
}

function parse(body: Bytes): WebhookEvent {
  let event: Partial<WebhookEvent> | null = null
  try {
    event = JSON.parse(new TextDecoder().decode(body))
  } catch {
    // If the body is not JSON, `event` stays null. The error is then thrown below.
  }
  if (typeof event?.id !== 'string' || typeof event.type !== 'string')
    throw new WebhookVerificationError('the body is not an event')
  return event as WebhookEvent
}

/**
 * Returns a header's value. If the header occurs several times, its values are joined into one, as fetch does.
 * The joined value matches no signature.
 */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  // instanceof is not used, because it would not recognize Headers from another JavaScript realm.
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name && value !== undefined) return [value].flat().join(', ')
  }
  return undefined
}

const isAnyOf = (given: string, expected: string[]): boolean =>
  expected.filter(each => isEqual(given, each)).length > 0

/** Compares two texts. If they have the same length, the time taken does not depend on their content. */
function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

const utf8 = new TextEncoder()
