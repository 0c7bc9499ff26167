import { createHmac, hash } from 'node:crypto'

// Computes the header signature of DOKU's own API. Sources: developers.doku.com signature-component/non-snap,
// and Utils.php of jokul-php-library. The last of the five signed lines is a digest of the body's exact
// bytes. A request without a body has no such line.

export type Component = {
  clientId: string
  requestId: string
  timestamp: string
  // The path of the signed request, without the host.
  target: string
  body?: string
}

export function componentText({ clientId, requestId, timestamp, target, body }: Component): string {
  return [
    `Client-Id:${clientId}`,
    `Request-Id:${requestId}`,
    `Request-Timestamp:${timestamp}`,
    `Request-Target:${target}`,
    ...(body === undefined ? [] : [`Digest:${hash('sha256', body, 'base64')}`]),
  ].join('\n')
}

export function headerSignature(secretKey: string, component: Component): string {
  return signatureOf(secretKey, componentText(component))
}

export function signatureOf(secretKey: string, text: string): string {
  return `HMACSHA256=${createHmac('sha256', secretKey).update(text).digest('base64')}`
}
