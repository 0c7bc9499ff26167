// Two signatures on every delivery, both HMAC-SHA256 (the secret is `whsec_` + base64 of 32 random bytes):
// - X-Service-Signature, of the interface: over the body, keyed with the bytes of the whole secret string;
// - Standard Webhooks (github.com/standard-webhooks, spec/standard-webhooks.md): over id.timestamp.body,
//   keyed with the decoded base64. While a secret is being rotated it carries one for each secret.

import { createHmac, randomBytes } from 'node:crypto'

export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** secrets: newest first. */
export function signedHeaders(
  event: { id: string; type: string; body: string },
  secrets: string[],
  at: Date,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000).toString()
  return {
    'content-type': 'application/json',
    'x-service-event-id': event.id,
    'x-service-event-type': event.type,
    'x-service-signature': `sha256=${createHmac('sha256', secrets[0] as string)
      .update(event.body)
      .digest('hex')}`,
    'webhook-id': event.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(secret => `v1,${standardSignature(event, secret, timestamp)}`).join(' '),
  }
}

function standardSignature(event: { id: string; body: string }, secret: string, timestamp: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return createHmac('sha256', key).update(`${event.id}.${timestamp}.${event.body}`).digest('base64')
}
