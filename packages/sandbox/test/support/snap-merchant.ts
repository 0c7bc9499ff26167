import { createHash, createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import type { Json } from './merchant.ts'

// A simulated merchant for tests of the SNAP APIs. The merchant computes its signatures with its own code, so that the
// tests can verify the sandbox's code.

const encoding = {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const

export const keys = generateKeyPairSync('rsa', encoding)
export const strangerKeys = generateKeyPairSync('rsa', encoding)

export const midtransCredentials = {
  client_id: 'G123-SNAP',
  client_secret: 'snap-client-secret',
  partner_id: 'PARTNER-1',
  merchant_id: 'G059876677',
  channel_id: '12345',
  partner_service_id: '70012',
  public_key: keys.publicKey,
}

export const dokuCredentials = {
  client_id: 'BRN-0210-1',
  secret_key: 'SK-test-1k2j3h4g5f6d',
  partner_service_id: '77777',
  public_key: keys.publicKey,
}

export async function register(
  sandboxUrl: string,
  provider: string,
  credentials: Record<string, string>,
  notificationUrl: string | null = null,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${sandboxUrl}/merchants`, {
    method: 'POST',
    body: JSON.stringify({ provider, credentials, notification_url: notificationUrl }),
  })
  return { status: response.status, body: await response.json() }
}

export type Answer = { status: number; body: Json; text: string; headers: Headers }

export async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  text?: string,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(text !== undefined && { body: text }),
  })
  const answer = await response.text()
  const body = answer.startsWith('{') ? JSON.parse(answer) : undefined
  return { status: response.status, body, text: answer, headers: response.headers }
}

/** Returns the current time in WIB (UTC+7), or the time `laterMs` milliseconds later. */
export function wibNow(laterMs = 0): string {
  return `${new Date(Date.now() + laterMs + 7 * 3_600_000).toISOString().slice(0, 19)}+07:00`
}

export async function askToken(
  base: string,
  path: string,
  clientId: string,
  over: { key?: string; timestamp?: string; body?: unknown } = {},
): Promise<Answer> {
  const { key = keys.privateKey, timestamp = wibNow(), body = { grantType: 'client_credentials' } } = over
  const signature = sign('sha256', Buffer.from(`${clientId}|${timestamp}`), key).toString('base64')
  return await send(
    base + path,
    'POST',
    { 'x-client-key': clientId, 'x-timestamp': timestamp, 'x-signature': signature },
    JSON.stringify(body),
  )
}

export type Caller = { base: string; token: string; secret: string; partnerId: string }

/** Returns a request's X-EXTERNAL-ID. For virtual accounts and QR codes, it must be the merchant's reference. */
function externalIdFor(path: string, body: unknown): string {
  if (!/^\/v1\.0\/.+\/(create-va|qr-mpm-generate)$/.test(path)) return newExternalId()
  const { trxId, partnerReferenceNo } = body as { trxId?: unknown; partnerReferenceNo?: unknown }
  return String(trxId ?? partnerReferenceNo ?? newExternalId())
}

/**
 * Sends a signed SNAP call. After the call is signed, the option `over` replaces headers, and the option
 * `instead` replaces the body.
 */
export async function callSnap(
  { base, token, secret, partnerId }: Caller,
  path: string,
  body: unknown,
  {
    method = 'POST',
    over = {} as Record<string, string>,
    text = '',
    instead = '',
    externalId = externalIdFor(path, body ?? JSON.parse(text)),
  } = {},
): Promise<Answer> {
  const sent = text || JSON.stringify(body)
  const minified = JSON.stringify(JSON.parse(sent))
  const timestamp = wibNow()
  const hashed = createHash('sha256').update(minified).digest('hex')
  const signature = createHmac('sha512', secret)
    .update(`${method}:${path}:${token}:${hashed}:${timestamp}`)
    .digest('base64')
  return await send(
    base + path,
    method,
    {
      authorization: `Bearer ${token}`,
      'x-timestamp': timestamp,
      'x-signature': signature,
      'x-partner-id': partnerId,
      'x-external-id': externalId,
      'channel-id': '12345',
      // DOKU requires the header x-ip-address for wallets. The other providers ignore it.
      'x-ip-address': '203.0.113.25',
      ...over,
    },
    instead || sent,
  )
}

export function newExternalId(): string {
  return randomUUID()
}

export function newReference(): string {
  return `PAY-${randomUUID().slice(0, 18)}`
}

export async function getJson(url: string): Promise<Json> {
  return await (await fetch(url)).json()
}

export async function simulate(sandboxUrl: string, body: Record<string, unknown>): Promise<Json> {
  const response = await fetch(`${sandboxUrl}/simulate`, { method: 'POST', body: JSON.stringify(body) })
  return await response.json()
}
