// Verifies and reads DOKU's older QRIS notification (developers.doku.com notify-qris). Its values are parameters. Its
// proof is WORDS, a SHA-1 hash that does not cover the order, the status or the amount. Anyone with a genuine message
// can change these values. The message is therefore only a hint: a status inquiry determines what happened.

import { createHash } from 'node:crypto'
import { z } from 'zod'
import { isEqualSecret } from '../../values/equal-secret.ts'
import {
  type CallbackReading,
  type CallbackRequest,
  type ProviderAccount,
  toSafeText,
  type Verification,
} from '../provider.ts'
import { methodNotified } from '../snap/notification.ts'
import type { Credentials } from './credentials.ts'
import { profile } from './profile.ts'

const part = z.string().default('')
const qrisHint = z.object({
  WORDS: z.string().regex(/^[0-9a-f]{40}$/i),
  /** Our reference. */
  TRANSACTIONID: z.string().regex(/^[\x21-\x7e]{1,64}$/),
  TXNSTATUS: part,
  ISSUERID: part,
  TXNDATE: part,
  MERCHANTPAN: part,
  INVOICE: part,
})
export type QrisHint = z.output<typeof qrisHint>

/**
 * Returns the parameters of an older QRIS notification, or undefined if the request has another form. DOKU documents
 * query parameters, but DOKU's own WooCommerce plugin reads a form in the body.
 */
export function qrisHintIn(
  account: Pick<ProviderAccount<unknown>, 'id'>,
  request: CallbackRequest,
): QrisHint | undefined {
  if (request.headers['x-signature'] !== undefined) return undefined
  if (methodNotified(profile, account, request) !== 'qris') return undefined
  const [, query = ''] = request.path.split('?')
  return [query, request.body.toString()]
    .map(text => qrisHint.safeParse(Object.fromEntries(new URLSearchParams(text))).data)
    .find(hint => hint !== undefined)
}

/** Checks WORDS. An account without the key for it accepts no hint, because anyone could send one. */
export function verifyQrisHint(
  { credentials, otherCredentials = [] }: ProviderAccount<Credentials>,
  { WORDS, ISSUERID, TXNDATE, MERCHANTPAN, INVOICE }: QrisHint,
): Verification {
  const keys = [credentials, ...otherCredentials].flatMap(each => each.qris_shared_key ?? [])
  const isGenuine = keys.some(key => {
    const words = createHash('sha1').update(ISSUERID + TXNDATE + MERCHANTPAN + INVOICE + key)
    return isEqualSecret(WORDS.toLowerCase(), words.digest('hex'))
  })
  return isGenuine ? { verified: true } : { verified: false, reason: 'WORDS is wrong' }
}

/**
 * The reference also serves as DOKU's ID of the order, so that the inquiry contains no other value from the message.
 * Otherwise, an attacker could put the ID of another, paid order into the message.
 *
 * Every hint counts as a claim of a payment, even if TXNSTATUS reports a failure, because WORDS does not cover
 * TXNSTATUS. For a minute, an outdated inquiry result therefore does not reverse a payment that was just paid.
 */
export const readQrisHint = ({ TRANSACTIONID: reference, TXNSTATUS: status }: QrisHint): CallbackReading => ({
  updates: [
    {
      reference,
      providerPaymentId: reference,
      fact: {
        type: 'unproven',
        reason: toSafeText(`TXNSTATUS ${status || 'absent'} is unsigned`),
        claimsPayment: true,
      },
    },
  ],
  acknowledgement: { contentType: 'text/plain', body: 'CONTINUE' },
})
