// The signature for requests and notifications in DOKU's non-SNAP API (developers.doku.com
// signature-component/non-snap; jokul-php-library src/DOKU/Common/Utils.php).

import { createHash, createHmac } from 'node:crypto'
import { isEqualSecret } from '../../values/equal-secret.ts'

export type Component = {
  clientId: string
  requestId: string
  /** When the request is sent, in UTC, e.g. `2020-08-11T08:45:42Z`. */
  timestamp: string
  /** The request path, without the host. */
  target: string
  /** The request body. Undefined for a GET request, because its signed text contains no digest. */
  body?: Buffer | undefined
}

/** Returns the text to sign. The digest covers the exact bytes of the body, including whitespace. */
export function componentOf({ clientId, requestId, timestamp, target, body }: Component): string {
  const lines = [
    `Client-Id:${clientId}`,
    `Request-Id:${requestId}`,
    `Request-Timestamp:${timestamp}`,
    `Request-Target:${target}`,
  ]
  if (body) lines.push(`Digest:${createHash('sha256').update(body).digest('base64')}`)
  return lines.join('\n')
}

export const signatureOf = (secretKey: string, component: string): string =>
  `HMACSHA256=${createHmac('sha256', secretKey).update(component).digest('base64')}`

export function signatureHolds(secretKey: string, component: Component, signature: string): boolean {
  return isEqualSecret(signature, signatureOf(secretKey, componentOf(component)))
}
