// A provider's callback as shown to the operator. Credentials are removed, because they could be used to forge
// callbacks.

import { z } from 'zod'
import { modes } from '../values/mode.ts'
import { type CallbackStatus, callbackStatuses } from './callback.sql.ts'
import type { ListedCallback, ListedRejection } from './callback-list.sql.ts'

const sent = {
  id: z.uuid(),
  provider: z.string().meta({ example: 'midtrans' }),
  provider_account_id: z.uuid(),
  mode: z.enum(modes).meta({ description: "The provider account's mode" }),
  received_at: z.iso.datetime(),
  headers: z
    .record(z.string(), z.string())
    .meta({ description: "The callback's headers as received, with credentials redacted" }),
  body: z.string().meta({
    description: "The callback's body as received: text, or base64 if the body is not valid UTF-8",
  }),
  body_encoding: z.enum(['utf8', 'base64']),
  body_truncated: z.boolean().meta({
    description: 'Whether the callback body is cut off because it is longer than 16 KiB',
  }),
}

const meanings: Record<CallbackStatus, string> = {
  received: 'not processed yet',
  applied: 'the payment was changed',
  repeated: 'the callback contained nothing new',
  refused: "the payment's status does not allow the change",
  ignored: 'the callback does not affect the payment',
  unmatched: 'no payment of this account has this reference',
  unreadable:
    'the signature is valid, but this version cannot parse the callback; reprocess it after an upgrade',
}

export const callbackView = z
  .strictObject({
    ...sent,
    status: z.enum(callbackStatuses).meta({
      description: callbackStatuses.map(status => `\`${status}\`: ${meanings[status]}`).join('. '),
    }),
    reason: z.string().nullable(),
    tenant_id: z.uuid().nullable(),
    payment_id: z.uuid().nullable(),
    payment_code: z.string().nullable(),
    processed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ProviderCallback', description: 'A callback with a valid signature, and its result' })

export const rejectedCallbackView = z
  .strictObject({ ...sent, reason: z.string().meta({ description: 'Why the callback was rejected' }) })
  .meta({ id: 'RejectedCallback', description: 'A callback that could not be verified' })

export const viewCallback = (callback: ListedCallback): z.output<typeof callbackView> => ({
  ...viewSent(callback),
  status: callback.status,
  reason: callback.reason,
  tenant_id: callback.tenantId,
  payment_id: callback.paymentId,
  payment_code: callback.paymentCode,
  processed_at: callback.processedAt?.toISOString() ?? null,
})

export const viewRejectedCallback = (rejection: ListedRejection): z.output<typeof rejectedCallbackView> => ({
  ...viewSent(rejection),
  reason: rejection.reason,
})

function viewSent(row: ListedCallback | ListedRejection) {
  return {
    id: row.id,
    provider: row.provider,
    provider_account_id: row.providerAccountId,
    mode: row.mode,
    received_at: row.receivedAt.toISOString(),
    headers: withoutCredentials(row.headers),
    ...viewBody(row.body),
    body_truncated: row.bodyBytes > row.body.length,
  }
}

/**
 * Removes headers that contain credentials. Some providers authenticate callbacks with a token in a header, and
 * anyone who knows this token could forge callbacks.
 */
const withoutCredentials = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      /token|secret|authorization|cookie|api-?key/i.test(name) ? '[redacted]' : value,
    ]),
  )

function viewBody(bytes: Buffer): { body: string; body_encoding: 'utf8' | 'base64' } {
  try {
    const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    // The stored body may be truncated, so it may end in the middle of a character. The decoder's stream mode
    // accepts such a body.
    return { body: utf8.decode(bytes, { stream: true }), body_encoding: 'utf8' }
  } catch {
    return { body: bytes.toString('base64'), body_encoding: 'base64' }
  }
}
