// Reads the unsigned form with which DOKU may report a QRIS payment (developers.doku.com non-snap/qris/notify-qris). DOKU
// does not publish how it computes the form's digest WORDS, so anyone can forge the form. It only causes a status
// inquiry, and the result of the inquiry decides.

import { isOrderReference, withDashes } from '../../payments/payment-code.ts'
import { type CallbackRequest, type CallbackUpdate, endpointOf, toSafeText } from '../provider.ts'

/** The addresses to which DOKU may send the form: the account's callback address, or the one for SNAP notifications. */
const endpoints = ['', '/v1.0/qr/qr-mpm-notify']
/** The fields that may contain our reference. DOKU does not document which of them does. */
const idFields = ['TRANSACTIONID', 'INVOICE', 'REFERENCEID']
const SUCCESS = 'S'

/**
 * Returns what the form claims, or undefined if the request is not such a form or names none of our orders. Forms about
 * other orders are rejected, because they would be stored without any use.
 */
export function readQrisForm(
  account: { id: string },
  { path, headers, body }: CallbackRequest,
): CallbackUpdate | undefined {
  if (headers.signature !== undefined || headers['x-signature'] !== undefined) return undefined
  if (!endpoints.includes(endpointOf(account, path))) return undefined
  const fields = [path.split('?')[1] ?? '', body.toString('utf8')].map(text => new URLSearchParams(text))
  const fieldOf = (name: string) => fields.map(each => each.get(name)).find(value => value !== null)
  const status = fieldOf('TXNSTATUS')
  const reference = idFields.map(name => withDashes(fieldOf(name)?.trim() ?? '')).find(isOrderReference)
  if (typeof status !== 'string' || reference === undefined) return undefined
  return {
    reference,
    providerPaymentId: reference,
    fact: {
      type: 'unproven',
      reason: toSafeText(`TXNSTATUS ${status} is unsigned`),
      ...(status === SUCCESS && { claimsPayment: true }),
    },
  }
}
