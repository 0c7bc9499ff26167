// A payment's public history (timeline). It starts with the status `pending`, even if the payment had internal
// statuses before, and then lists each change of the public status.

import { z } from 'zod'
import { isShown, type Payment, type Status, shownStatus, shownStatuses } from '../payment.ts'

export const timelineEntryView = z
  .strictObject({
    at: z.iso.datetime().meta({ description: 'Time of the status change' }),
    from: z.enum(shownStatuses).nullable().meta({
      description: "Payment status before the change; null in the entry for the payment's creation",
    }),
    to: z.enum(shownStatuses).meta({ description: 'Payment status after the change' }),
    cause: z.string().meta({
      description:
        'What caused the status change. `create`: the create request or its charge. `callback`: a callback from the provider. `inquiry`: a status inquiry at the provider. `merchant`: the merchant cancelled the payment. `expiry`: the payer did not pay in time. `owner`: a decision of the Owner. New values may be added',
      example: 'callback',
    }),
    detail: z
      .string()
      .nullable()
      .meta({ description: 'Details of the status change, as text; null if there are none' }),
  })
  .meta({ id: 'TimelineEntry', description: 'A status change of a payment' })

/** The approximate size of a status change with long details in a response, in bytes. */
export const BYTES_OF_TRANSITION = 600

type Change = { at: Date; from: Status; to: Status; cause: string; detail: string | null }

export function timelineOf(
  payment: Pick<Payment, 'createdAt'>,
  transitions: Change[],
): z.output<typeof timelineEntryView>[] {
  const created = { at: payment.createdAt.toISOString(), from: null, to: 'pending', cause: 'create' } as const
  const changes = transitions.flatMap(({ at, from, to, cause, detail }) => {
    const seen = shownStatus(from)
    // The timeline also shows events that leave the status unchanged, such as the reversal of a paid payment,
    // which keeps the status paid.
    return isShown(to) && (to !== seen || from === to)
      ? [{ at: at.toISOString(), from: seen, to, cause, detail }]
      : []
  })
  return [{ ...created, detail: null }, ...changes]
}
