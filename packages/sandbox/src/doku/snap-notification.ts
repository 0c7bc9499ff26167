import { undocumented } from '../notification.ts'
import type { Order, Status } from '../order.ts'
import type { Ask, Notification, Sandbox, Tampering } from '../provider.ts'
import { externalId } from '../snap/notification.ts'
import { idr, type SnapOrder, snapOrder, virtualAccountOf } from '../snap/order.ts'
import { forged, tokenSignature, transactionSignature } from '../snap/signature.ts'
import { isoWib } from '../snap/time.ts'
import { transactionStatus } from './order.ts'
import { qrisNotification } from './qris-notification.ts'
import { isoUtc } from './time.ts'

// Creates DOKU's notifications about orders created over SNAP. For virtual accounts and wallets, DOKU requests a token
// from the merchant. It then signs the notification with the shared secret (developers.doku.com
// http-notification-sample-for-snap). The signature always covers the SNAP standard's path, even if the merchant's
// address has another path.

const notifyPaths = { va: '/v1/transfer-va/payment', debit: '/v1.0/debit/notify' } as const

const TOKEN_PATH = '/authorization/v1/access-token/b2b'

// The order statuses that the merchant is notified of. An expiry causes no notification, because
// doku-nodejs-library accepts only the status codes 00, 03, 04, 05 and 06 in a wallet notification.
const reported: Record<keyof typeof notifyPaths, readonly Status[]> = {
  va: ['paid'],
  debit: ['paid', 'failed', 'cancelled'],
}

/**
 * Creates an order's notification. For a virtual account, only the payment is reported, and the notification has no
 * status field. For wallet payments, failures and cancellations are also reported. QR codes have other notifications.
 */
export async function snapNotification(
  sandbox: Sandbox,
  order: Order,
  url: string,
  tampering: Tampering,
  ask: Ask,
): Promise<Notification | undefined> {
  const own = snapOrder(order)
  const { kind } = own.detail
  if (kind === 'qr') return qrisNotification(sandbox, own, url, tampering)
  const [genuine, words] = transactionStatus(order.status)
  if (!reported[kind].includes(order.status) && tampering.status === undefined) return undefined
  const secret = sandbox.merchants.find('doku', order.merchant)?.credentials.secret_key
  if (!secret) throw new Error('the merchant is no longer registered in the sandbox')
  const token = await merchantToken(sandbox, order, url, ask)
  const body = JSON.stringify({
    ...messageOf(own, tampering),
    ...(tampering.unknownFields && undocumented),
  })
  const path = notifyPaths[kind]
  const timestamp = isoWib(Date.now())
  const signature = transactionSignature(secret, token, { method: 'POST', path, body, timestamp })
  return {
    url: url + path,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'x-timestamp': timestamp,
      'x-signature': tampering.badSignature ? forged(signature) : signature,
      'x-partner-id': order.merchant,
      'x-external-id': externalId(),
      'channel-id': 'H2H',
    },
    body,
    says: kind === 'va' ? 'payment' : `${tampering.status ?? genuine} ${words}`,
    // Each retry needs a new token: a token is valid for 15 minutes, but the first retry is made after 30 minutes.
    ages: true,
  }
}

/**
 * Requests the access token for a notification from the merchant's server. If the request fails, throws an error, so
 * that the notification is retried.
 */
async function merchantToken(sandbox: Sandbox, order: Order, url: string, ask: Ask): Promise<string> {
  const timestamp = isoUtc(Date.now())
  const { privateKey } = sandbox.keyPairOf('doku')
  const answer = await ask(url + TOKEN_PATH, {
    headers: {
      'content-type': 'application/json',
      'x-client-key': order.merchant,
      'x-timestamp': timestamp,
      'x-signature': tokenSignature(privateKey, order.merchant, timestamp),
    },
    body: JSON.stringify({ grantType: 'client_credentials' }),
  })
  const token = answer.status === 200 ? tokenIn(answer.body) : undefined
  if (!token)
    throw new Error(`the merchant's response to the token request has status ${answer.status} and no token`)
  return token
}

function tokenIn(body: string): string | undefined {
  try {
    const { accessToken } = JSON.parse(body) as { accessToken?: unknown }
    return typeof accessToken === 'string' && accessToken !== '' ? accessToken : undefined
  } catch {
    return undefined
  }
}

function messageOf(order: SnapOrder, { currency = 'IDR', status }: Tampering): Record<string, unknown> {
  const { detail, reference, recordedCents } = order
  if (detail.kind === 'va') {
    return {
      ...virtualAccountOf(detail),
      virtualAccountName: order.customer,
      trxId: reference,
      paymentRequestId: order.id,
      paidAmount: idr(recordedCents, currency),
      ...(detail.email && { virtualAccountEmail: detail.email }),
      additionalInfo: {
        channel: detail.channel,
        // A virtual account's notification has no status field. If a test sets a status, the sandbox adds Midtrans'
        // field for it.
        ...(status !== undefined && { paymentFlagStatus: status }),
      },
    }
  }
  const [genuine, words] = transactionStatus(order.status)
  return {
    originalReferenceNo: order.id,
    originalPartnerReferenceNo: reference,
    originalExternalId: detail.externalId,
    latestTransactionStatus: status ?? genuine,
    transactionStatusDesc: words,
    amount: idr(recordedCents, currency),
    additionalInfo: debitInfo(order),
  }
}

/**
 * Returns the additional fields of a wallet notification, as defined by
 * paymentNotificationDirectDebitRequestDTO in doku-nodejs-library.
 */
function debitInfo({ detail }: SnapOrder): Record<string, unknown> {
  return {
    channelId: detail.channel,
    acquirerId: detail.channel.replace(/^EMONEY_|_SNAP$/g, ''),
    custIdMerchant: '',
    accountType: 'EMONEY',
  }
}
