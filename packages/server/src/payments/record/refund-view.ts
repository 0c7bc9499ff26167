import { z } from 'zod'
import { modes } from '../../values/mode.ts'
import { toJsonNumber } from '../../values/money.ts'
import { type PaymentRefund, refundMethods, refundOrigins, refundStatuses } from './refund.ts'

export const refundView = z
  .strictObject({
    id: z.uuid(),
    payment_id: z.uuid(),
    tenant_id: z.uuid(),
    mode: z.enum(modes),
    amount: z.int().meta({ description: 'Refund amount, in cents', example: 2_000_000 }),
    currency: z.literal('IDR'),
    status: z.enum(refundStatuses).meta({
      description:
        '`pending`: your balance has been debited, and the outcome is not yet known. `succeeded`: the money was returned to the payer. `failed`: no money was returned, and your balance was credited again',
    }),
    method: z.enum(refundMethods).meta({
      description:
        '`provider`: the provider returns the money. `manual`: the Owner transfers the money to the bank account in the refund request',
    }),
    origin: z.enum(refundOrigins).meta({
      description:
        'Origin of the refund. `merchant`: the merchant requested it. `operator`: the Owner returns unexpected money. `provider`: it was made at the provider. `chargeback`: the payer requested it at their bank',
    }),
    in_ledger: z.boolean().meta({
      description:
        'Whether the refund debits your balance. False if the operator returns money that was never credited to you',
    }),
    reason: z.string().meta({
      description: 'Reason for the refund, or empty if there is none',
      example: 'one book was missing',
    }),
    provider_refund_id: z
      .string()
      .nullable()
      .meta({ description: "The provider's ID for the refund, or null while it is unknown" }),
    failure_reason: z.string().nullable().meta({
      description:
        "Why the refund failed, or why a pending refund's outcome is not known; null for other refunds",
    }),
    created_at: z.iso.datetime().meta({ description: 'Time when the refund was recorded and debited' }),
    updated_at: z.iso.datetime().meta({ description: 'Time when the refund last changed' }),
    succeeded_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Time when the refund succeeded, or null if it has not succeeded' }),
  })
  .meta({ id: 'Refund', description: 'A refund or chargeback of a paid payment, with its amount in cents' })

/** The approximate size of a refund with long texts in a response, in bytes. */
export const BYTES_OF_REFUND = 2_000

export const viewRefund = (refund: PaymentRefund): z.output<typeof refundView> => ({
  id: refund.id,
  payment_id: refund.paymentId,
  tenant_id: refund.tenantId,
  mode: refund.mode,
  amount: toJsonNumber(refund.amount),
  currency: 'IDR',
  status: refund.status,
  method: refund.method,
  origin: refund.origin,
  in_ledger: refund.source !== 'uncredited',
  reason: refund.reason,
  provider_refund_id: refund.providerRefundId,
  failure_reason: refund.failureReason,
  created_at: refund.createdAt.toISOString(),
  updated_at: refund.updatedAt.toISOString(),
  succeeded_at: refund.succeededAt?.toISOString() ?? null,
})
