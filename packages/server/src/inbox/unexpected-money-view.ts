// The Owner's view of an unexpected money record: money that arrived although no open payment expected it, or
// money that the provider returned.

import { z } from 'zod'
import { refundStatuses } from '../payments/record/refund.ts'
import {
  type UnexpectedKind,
  unexpectedKinds,
  unexpectedStatuses,
} from '../payments/record/unexpected-money.ts'
import { modes } from '../values/mode.ts'
import { toJsonNumber } from '../values/money.ts'
import type { UnexpectedMoneyRow } from './decision.ts'

const meanings: Record<UnexpectedKind, string> = {
  unknown_reference: 'no payment of the provider account has this reference',
  second_payment: 'the payment was already paid',
  overpaid: 'the payer paid more than the amount due',
  underpaid: 'the payer paid less than the amount due',
  late: 'the payment had already failed, expired or been cancelled',
  increase: 'the provider later reported a larger amount for the money that paid the payment',
  paid_after_reversal: 'the payment was paid again after a reversal',
  reversal: 'the provider took back money of a paid payment',
  unconfirmed:
    'a callback reports money for an ended payment or an earlier charge attempt, and the provider has not confirmed it or could not verify the payer',
  refund: 'the provider reported a refund to the payer',
  chargeback: "the payer's bank took the money back",
}

export const unexpectedMoneyView = z
  .strictObject({
    id: z.uuid(),
    kind: z.enum(unexpectedKinds).meta({
      description: unexpectedKinds.map(kind => `\`${kind}\`: ${meanings[kind]}`).join('. '),
    }),
    status: z.enum(unexpectedStatuses).meta({
      description:
        "`open`: needs a decision. `accepted`: the money was accepted. `refunded`: the money goes back to the payer. `refund_status` has the refund's status; if the refund fails, the record is `open` again. `dismissed`: the refund, chargeback or unconfirmed money was dismissed and changed no balance",
    }),
    provider: z.string().meta({ example: 'midtrans' }),
    provider_account_id: z.uuid(),
    mode: z.enum(modes),
    reference: z.string().meta({ description: "The provider's order reference" }),
    receipt: z.string().nullable().meta({
      description:
        "The provider's ID of this transfer of money to or from the payer; null if the provider reported no ID",
    }),
    tenant_id: z.uuid().nullable(),
    payment_id: z
      .uuid()
      .nullable()
      .meta({ description: 'Payment ID; null if the money is not assigned to a payment' }),
    payment_code: z.string().nullable(),
    amount: z.int().meta({
      description:
        'Amount received or returned, in cents. 0 if the provider did not report the amount of a refund or chargeback',
    }),
    expected_amount: z.int().nullable().meta({ description: 'Amount due for the payment, in cents' }),
    in_ledger: z.boolean().meta({
      description:
        'Whether the money was credited to the tenant. For a reversal, refund or chargeback, whether the money was debited from the tenant',
    }),
    return_status: z.enum(['pending', 'succeeded', 'failed']).nullable().meta({
      description:
        'The last status the provider reported for a refund or chargeback; null for records of any other kind',
    }),
    refund_id: z.uuid().nullable().meta({
      description:
        'ID of the latest refund of this unexpected money, or null if the money has no refund. If the record is about a refund or chargeback reported by the provider, this is the ID of the refund recorded for it',
    }),
    refund_status: z
      .enum(refundStatuses)
      .nullable()
      .meta({ description: 'Status of the refund `refund_id`; null if there is none' }),
    paid_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
    decided_at: z.iso.datetime().nullable(),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Reason for the decision on this money; null if no decision has been made yet' }),
  })
  .meta({
    id: 'UnexpectedMoney',
    description: 'Money received that matches no open payment, or money a provider took back',
  })

export const viewUnexpectedMoney = (money: UnexpectedMoneyRow): z.output<typeof unexpectedMoneyView> => ({
  id: money.id,
  kind: money.kind,
  status: money.status,
  provider: money.provider,
  provider_account_id: money.providerAccountId,
  mode: money.mode,
  reference: money.reference,
  receipt: money.receipt || null,
  tenant_id: money.tenantId,
  payment_id: money.paymentId,
  payment_code: money.paymentCode,
  amount: toJsonNumber(money.amount ?? 0n),
  expected_amount: money.expectedAmount === null ? null : toJsonNumber(money.expectedAmount),
  in_ledger: money.credited,
  return_status: money.returnStatus,
  refund_id: money.refundId,
  refund_status: money.refundStatus,
  paid_at: money.paidAt.toISOString(),
  created_at: money.createdAt.toISOString(),
  decided_at: money.decidedAt?.toISOString() ?? null,
  reason: money.reason,
})
