// Converts the form's values to an API request. Both use the same field names, so the form can show an API error at the
// right field.

import { createPaymentInput, item } from '@gapura/server/create-input'
import { z } from 'zod'
import type { Inputs } from '../api/trpc.ts'
import type { MethodType } from '../payments/payment-words.ts'

type Order = Inputs['payments']['create']
type MethodDetail = Order['method_detail']

/** The value of a number input. It is a string if the input is empty or the number is too large. */
type Typed = number | string

/** An amount in cents, or null if the input is empty. */
type Sum = number | null

export type ItemDraft = { name: string; price: Sum; quantity: Typed }
export type Draft = {
  amount: Sum
  method_type: MethodType
  method_detail: MethodDetail
  customer_name: string
  customer_email: string
  customer_phone: string
  items: ItemDraft[]
  expiry_minutes: Typed
}

const wholeOf = (typed: Typed): number => (typed === '' ? Number.NaN : Number(typed))

export function detailOf(type: MethodType, channel: string): MethodDetail {
  switch (type) {
    case 'virtual_account':
      return { type, bank: channel }
    case 'e_wallet':
      return { type, wallet_type: channel }
    case 'over_the_counter':
      return { type, store: channel }
    case 'qris':
      return { type }
  }
}

export function channelOfDetail(detail: MethodDetail): string {
  switch (detail.type) {
    case 'virtual_account':
      return detail.bank
    case 'e_wallet':
      return detail.wallet_type
    case 'over_the_counter':
      return detail.store
    case 'qris':
      return 'qris'
  }
}

/** Returns the order to send to the API, without the fields left empty in the form. */
export function orderOf(draft: Draft): Order {
  const { customer_name, customer_email, customer_phone } = draft
  return {
    amount: draft.amount ?? 0,
    currency: 'IDR',
    method_type: draft.method_type,
    method_detail: draft.method_detail,
    ...(customer_name !== '' && { customer_name }),
    ...(customer_email !== '' && { customer_email }),
    ...(customer_phone !== '' && { customer_phone }),
    ...(draft.items.length > 0 && {
      items: draft.items.map((item, index) => ({
        id: `item-${index + 1}`,
        name: item.name,
        price: item.price ?? 0,
        quantity: wholeOf(item.quantity),
      })),
    }),
    ...(draft.expiry_minutes !== '' && { expiry_minutes: wholeOf(draft.expiry_minutes) }),
  }
}

/**
 * Rejects items without a name or with a price of zero. The API accepts them, but in this form they are probably a
 * mistake.
 */
const filledIn = createPaymentInput.safeExtend({
  items: z
    .array(
      item.safeExtend({
        name: item.shape.name.refine(name => name !== '', 'must not be empty'),
        price: item.shape.price.min(1, 'must be greater than zero'),
      }),
    )
    .default([]),
})

export const draftSchema = z.custom<Draft>().transform(orderOf).pipe(filledIn)
