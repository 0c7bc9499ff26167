import { hash } from 'node:crypto'
import type { Notification, Sandbox, Tampering } from '../provider.ts'
import { decimalRupiah } from '../rupiah.ts'
import type { SnapOrder } from '../snap/order.ts'
import { forged } from '../snap/signature.ts'
import { headerNotification, reportedWord } from './header-notification.ts'
import { approvalCodeOf } from './refund.ts'
import { compactWib, isoUtc } from './time.ts'

// Creates the notifications about QR codes. QR codes are created over SNAP, but their notifications have another
// format. There are two forms:
// - a notification signed in a header (DOKU's page http-notification-sample-non-snap), which merchants have received;
// - an older notification whose proof is the hash WORDS (DOKU's page notify-qris).
//
// DOKU does not document which merchant gets which form. The sandbox sends the older form to merchants that registered
// a qris_shared_key.

const PATH = '/v1.0/qr/qr-mpm-notify'
const ISSUER = { id: '93600501', name: 'BCAD' }

export function qrisNotification(
  sandbox: Sandbox,
  order: SnapOrder,
  url: string,
  tampering: Tampering,
): Notification | undefined {
  const word = reportedWord(order, tampering)
  if (!word) return undefined
  const sharedKey = sandbox.merchants.find('doku', order.merchant)?.credentials.qris_shared_key
  if (sharedKey) return wordsNotification(order, { url: url + PATH, sharedKey, word, tampering })
  const message = messageOf(order, word, tampering)
  return headerNotification(sandbox, order, { url: url + PATH, message, word, tampering })
}

/** Returns the message that merchants received. The original_request_id is the X-EXTERNAL-ID of the create request. */
function messageOf(order: SnapOrder, status: string, { currency }: Tampering): Record<string, unknown> {
  const { reference, recordedCents, detail, settledAt, createdAt } = order
  return {
    service: { id: 'QRIS', name: 'QRIS' },
    acquirer: { id: '93600899', name: 'DOKU' },
    issuer: ISSUER,
    channel: { id: 'QRIS_DOKU', name: 'QRIS-DOKU' },
    order: {
      invoice_number: reference,
      amount: Number(decimalRupiah(recordedCents)),
      tips: 0,
      terminal_id: detail.echoed.terminalId,
      ...(currency !== undefined && { currency }),
    },
    emoney_payment: { account_id: '', approval_code: approvalCodeOf(order) },
    transaction: {
      status,
      date: isoUtc(settledAt ?? createdAt),
      original_request_id: detail.externalId,
    },
    additional_info: { origin: { product: 'QRIS', system: 'snap-adapter', apiFormat: 'SNAP' } },
  }
}

/** WORDS covers neither the order nor its status nor its amount. */
function wordsNotification(
  order: SnapOrder,
  {
    url,
    sharedKey,
    word,
    tampering: { badSignature, unknownFields },
  }: { url: string; sharedKey: string; word: string; tampering: Tampering },
): Notification {
  const invoice = String(order.seq).padStart(8, '0')
  const date = compactWib(order.settledAt ?? order.createdAt)
  const merchantPan = '936008990000002115'
  const words = hash('sha1', ISSUER.id + date + merchantPan + invoice + sharedKey)
  const parameters = new URLSearchParams({
    WORDS: badSignature ? forged(words) : words,
    ACQUIRER: 'DOKU',
    CUSTOMERPAN: '9360050110001187249',
    INVOICE: invoice,
    TRANSACTIONID: order.reference,
    CONVENIENCEFEE: 'C00000000',
    TERMINALID: String(order.detail.echoed.terminalId),
    ORIGIN: 'INBOUND',
    AMOUNT: decimalRupiah(order.recordedCents),
    TXNDATE: date,
    MERCHANTPAN: merchantPan,
    REFERENCEID: approvalCodeOf(order),
    CUSTOMERNAME: order.customer,
    TXNSTATUS: { SUCCESS: 'S', FAILED: 'F' }[word] ?? word,
    ISSUERNAME: ISSUER.name,
    ISSUERID: ISSUER.id,
    ...(unknownFields && { SANDBOXNEWFIELD: 'undocumented' }),
  })
  return {
    url: `${url}?${parameters}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      transactionId: invoice,
      activityCode: '200',
      message: `Transaction is ${word === 'SUCCESS' ? 'Success' : 'Failed'}`,
      processDate: isoUtc(Date.now()).slice(0, -1),
    }),
    says: word,
  }
}
