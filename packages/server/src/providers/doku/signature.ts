// The signature of DOKU's non-SNAP API, for both requests and notifications (developers.doku.com
// signature-component/non-snap; jokul-php-library src/DOKU/Common/Utils.php).

import { createHash, createHmac } from 'node:crypto'
import { isEqualSecret } from '../../equal.ts'

export type Component = {
  clientId: string
  requestId: string
  /** UTC, e.g. `2020-08-11T08:45:42Z`. */
  timestamp: string
  /** The path, without the host. */
  target: string
  /** Undefined for a GET; the digest is then omitted. */
  body?: Buffer | undefined
}

/** The digest covers the exact bytes, including white space. */
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
