import { v7 as uuid } from 'uuid'
import type { NewOrder } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import { refusal, type Service, type SnapAnswer } from './answer.ts'
import type { Limits } from './limits.ts'
import type { SnapDetail } from './order.ts'
import type { SnapCall } from './profile.ts'

type Wanted = {
  service: Service
  reference: string
  // If true, a second order with the same reference is rejected.
  unique: boolean
  // The requested amount in cents; undefined if the request's amount is invalid.
  cents: number | undefined
  // The minimum and maximum amount. Absent if the provider does not document limits.
  limits?: Limits | undefined
  // The merchant ID in the request; undefined if the request contains no merchant ID.
  merchantId: string | undefined
  life: {
    wanted: number | null | undefined
    // The name of the request's expiry field, for the error message about an invalid expiry.
    field: string
    defaultMs: number
    shortestMs: number
    longestMs: number
  }
  method: string
  number: string
  customer: string
  detail: SnapDetail
}

/** Validates the fields shared by all payment methods in a SNAP create request, and returns the new order. */
export function askedOrder(
  sandbox: Sandbox,
  { merchant }: SnapCall,
  now: number,
  wanted: Wanted,
): { asked: NewOrder } | { refused: SnapAnswer } {
  const { service, reference: asReference, cents, merchantId, life } = wanted
  if (cents === undefined) return { refused: refusal(service, 'invalidAmount') }
  const [min, max] = wanted.limits ?? [0, null]
  if (cents < min * 100) return { refused: refusal(service, 'invalidAmount') }
  if (max !== null && cents > max * 100) return { refused: refusal(service, 'amountLimit') }
  if (merchantId !== undefined && merchantId !== merchant.credentials.merchant_id) {
    return { refused: refusal(service, 'invalidMerchant') }
  }
  const expiresAt = life.wanted ?? now + life.defaultMs
  if (expiresAt < now + life.shortestMs || expiresAt > now + life.longestMs) {
    return { refused: refusal(service, 'fieldFormat', life.field) }
  }
  if (wanted.unique && sandbox.store.findOfMerchant(merchant.provider, merchant.id, asReference)) {
    return { refused: refusal(service, 'sameReference') }
  }
  const { notificationUrl } = merchant
  return {
    asked: {
      provider: merchant.provider,
      id: uuid(),
      merchant: merchant.id,
      reference: asReference,
      method: wanted.method,
      number: wanted.number,
      customer: wanted.customer,
      askedCents: cents,
      recordedCents: cents,
      status: 'pending',
      createdAt: now,
      expiresAt,
      settledAt: null,
      notificationUrls: notificationUrl === null ? [] : [notificationUrl],
      detail: wanted.detail,
    },
  }
}
