// Signs webhook deliveries in two ways, both with HMAC-SHA256. The secret is `whsec_` followed by 32 random bytes
// in base64.
// - X-Service-Signature, which our API defines, signs the body. The key is the whole secret string, including
//   `whsec_`.
// - Standard Webhooks (github.com/standard-webhooks, spec/standard-webhooks.md) signs id.timestamp.body. The key is
//   the decoded base64 part of the secret. After a rotation, the header has one signature for each secret that is
//   still valid.

import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { boundedCache } from '../../values/bounded-cache.ts'

export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** The two signing keys derived from a webhook secret. They are cached, because every delivery needs them. */
type Keys = { ofText: KeyObject; ofBytes: KeyObject }

const keys = boundedCache<Keys>(10_000)

function keysOf(secret: string): Keys {
  let cached = keys.get(secret)
  if (!cached) {
    cached = {
      ofText: createSecretKey(secret, 'utf8'),
      ofBytes: createSecretKey(secret.replace(/^whsec_/, ''), 'base64'),
    }
    keys.set(secret, cached)
  }
  return cached
}

/** The headers with a webhook delivery's signatures. */
export type SignatureHeaders = Record<
  'webhook-id' | 'webhook-timestamp' | 'webhook-signature' | 'x-service-signature',
  string
>

type SignedContent = { id: string; type: string; body: string | Buffer }

/** Returns a webhook delivery's HTTP headers, including its signatures. `secrets` is sorted by age, newest first. */
export function signedHeaders(event: SignedContent, secrets: string[], at: Date): Record<string, string> {
  const timestamp = timestampOf(at)
  return {
    'content-type': 'application/json',
    'x-service-event-id': event.id,
    'x-service-event-type': event.type,
    'x-service-signature': `sha256=${hmac(keysOf(secrets[0] as string).ofText, event.body).digest('hex')}`,
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(secret => `v1,${standardSignature(event, secret, timestamp)}`).join(' '),
  }
}

const timestampOf = (at: Date): string => Math.floor(at.getTime() / 1000).toString()

/**
 * Returns a webhook delivery's signatures as one text, which is stored with the attempt: the value of
 * X-Service-Signature, then the value of webhook-signature.
 */
export const storedSignature = (headers: Record<string, string>): string =>
  `${headers['x-service-signature']} ${headers['webhook-signature']}`

/**
 * Returns a webhook delivery attempt's signature headers. `stored` is the stored text that contains the attempt's
 * signatures, and `at` is the time when the attempt was sent.
 */
export function sentSignatures(stored: string, id: string, at: Date): SignatureHeaders {
  const end = stored.indexOf(' ')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestampOf(at),
    'webhook-signature': stored.slice(end + 1),
    'x-service-signature': stored.slice(0, end),
  }
}

const hmac = (key: KeyObject, data: string | Buffer) => createHmac('sha256', key).update(data)

const standardSignature = ({ id, body }: SignedContent, secret: string, timestamp: string): string =>
  hmac(keysOf(secret).ofBytes, `${id}.${timestamp}.`).update(body).digest('base64')
