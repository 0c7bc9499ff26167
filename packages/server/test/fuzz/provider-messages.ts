// Contains the providers' published messages about paid payments. Tests can change a message and sign it as the
// provider would.

import { createHash, createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../src/providers')

export type Message = {
  name: string
  provider: string
  /** The path to which the provider sends the callback, relative to the account's callback URL. */
  endpoint: string
  /** The payment reference, written exactly as in the text of the message. */
  reference: string
  amountCents: number
  text: string
  headers: Record<string, string>
}

type Fixture = {
  request: { path: string }
  headers: Record<string, string>
  raw_body: string
  expect: { status?: string; amount_paid_cents?: number; order_id?: string }
}

/**
 * The tests leave out this published message from DOKU, because it has a symmetric signature, unlike Midtrans' BI-SNAP
 * messages.
 */
const ofAnother = 'notif-doku-va-payment-symmetric.json'
/** The smallest amount that the tests use: Rp10,000, in cents. Some channels reject smaller payments. */
const LEAST_CENTS = 1_000_000

/**
 * The published messages about paid payments, except Duitku's. Duitku's messages are excluded because the service does
 * not trust their status and sends a status inquiry instead. journeys/duitku.test.ts tests forged Duitku callbacks.
 */
export const paidMessages: Message[] = ['midtrans', 'xendit', 'snap', 'doku', 'tripay'].flatMap(provider =>
  readdirSync(join(folder, provider, 'fixtures'))
    .filter(name => name.startsWith('notif-') && name !== ofAnother)
    .map(name => messageOf(provider, name))
    .filter(message => message !== undefined),
)

function messageOf(provider: string, name: string): Message | undefined {
  const text = readFileSync(join(folder, provider, 'fixtures', name), 'utf8')
  const { request, headers, raw_body, expect } = JSON.parse(text) as Fixture
  const { status, amount_paid_cents: amountCents = 0, order_id: reference } = expect
  if (status !== 'paid' || reference === undefined || amountCents < LEAST_CENTS) return undefined
  const endpoint = provider === 'snap' ? request.path : ''
  return { name, provider, endpoint, reference, amountCents, text: raw_body, headers: lowered(headers) }
}

function lowered(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/**
 * For each provider, lists message fields with the values that prove that a payment was paid. Sources:
 * docs.midtrans.com, docs.xendit.co, developers.doku.com, tripay.co.id/developer, and each provider's
 * NOTES.md.
 */
export const proves: Record<string, Record<string, string[]>> = {
  midtrans: {
    transaction_status: ['settlement', 'Settlement', 'capture'],
    status_code: ['200'],
    currency: ['IDR'],
  },
  xendit: { status: ['SUCCEEDED', 'COMPLETED'], currency: ['IDR'] },
  snap: { latestTransactionStatus: ['00'], currency: ['IDR'] },
  doku: { 'transaction.status': ['SUCCESS'] },
  tripay: { status: ['PAID'] },
}

/** The status values with which providers report paid payments and other outcomes. */
export const statusWords = [
  ...[
    'settlement',
    'capture',
    'pending',
    'deny',
    'cancel',
    'expire',
    'refund',
    'authorize',
    '200',
    '201',
    '202',
  ],
  ...[
    'SUCCEEDED',
    'COMPLETED',
    'PENDING',
    'FAILED',
    'EXPIRED',
    'AUTHORIZED',
    'SUCCESS',
    'PAID',
    'UNPAID',
    'REFUND',
  ],
  ...['00', '03', '06', 'challenge', 'deny', 'USD', 'IDR ', 'idr', 'Settlement', 'paid'],
]

/**
 * The key pair with which tests sign Midtrans SNAP messages. The tests need their own key pair, because they do
 * not have the sandbox's private key.
 */
export const ownPair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

export type Signed = { body: string; headers: Record<string, string> }
type Credentials = Record<string, string>

/**
 * Signs a message as its provider would. `path` is the request path; `message` is parsed JSON, or text if it is not
 * JSON.
 */
export function signed(
  { provider, headers }: Message,
  credentials: Credentials,
  path: string,
  message: unknown,
): Signed {
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  const with_ = (own: Record<string, string>) => ({
    body,
    headers: { ...headers, 'content-type': 'application/json', ...own },
  })
  switch (provider) {
    case 'midtrans':
      return { ...with_({}), body: JSON.stringify(signedInside(message, credentials.server_key ?? '')) }
    case 'xendit':
      return with_({ 'x-callback-token': credentials.callback_token ?? '' })
    case 'tripay':
      return with_({ 'x-callback-signature': hmac('sha256', credentials.private_key, body, 'hex') })
    case 'snap': {
      const timestamp = new Date().toISOString().replace(/\.\d+Z$/, '+00:00')
      const hash = createHash('sha256').update(body).digest('hex')
      const text = `POST:${path}:${hash}:${timestamp}`
      return with_({
        'x-timestamp': timestamp,
        'x-signature': sign('sha256', Buffer.from(text), ownPair.privateKey).toString('base64'),
      })
    }
    default: {
      const component = [
        `Client-Id:${credentials.client_id}`,
        `Request-Id:${randomUUID()}`,
        `Request-Timestamp:${new Date().toISOString().replace(/\.\d+Z$/, 'Z')}`,
        `Request-Target:${path}`,
        `Digest:${createHash('sha256').update(body).digest('base64')}`,
      ]
      const [clientId, requestId, timestamp] = component.map(line => line.slice(line.indexOf(':') + 1))
      return with_({
        'client-id': clientId ?? '',
        'request-id': requestId ?? '',
        'request-timestamp': timestamp ?? '',
        signature: `HMACSHA256=${hmac('sha256', credentials.secret_key, component.join('\n'), 'base64')}`,
      })
    }
  }
}

const hmac = (hash: string, key: string | undefined, text: string, form: 'hex' | 'base64'): string =>
  createHmac(hash, key ?? '')
    .update(text)
    .digest(form)

/**
 * Adds Midtrans' signature to the message as a field. The signature covers the fields order_id, status_code
 * and gross_amount exactly as they are written.
 */
function signedInside(message: unknown, serverKey: string): unknown {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return message
  const { order_id, status_code, gross_amount } = message as Record<string, unknown>
  const text = `${order_id}${status_code}${gross_amount}${serverKey}`
  return { ...message, signature_key: createHash('sha512').update(text).digest('hex') }
}
