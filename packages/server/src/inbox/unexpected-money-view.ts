// Money that arrived otherwise than was agreed, as the Owner sees it.

import { z } from 'zod'
import { modes } from '../mode.ts'
import { toJsonNumber } from '../money.ts'
import { type UnexpectedKind, unexpectedKinds, unexpectedStatuses } from '../payments/unexpected-money.ts'
import type { KeptMoney } from './decision.ts'

const meanings: Record<UnexpectedKind, string> = {
  unknown_reference: 'no payment of the account has its reference',
  second_payment: 'the payment was paid already',
  overpaid: 'more than the amount',
  underpaid: 'less than the amount',
  late: 'the payment was over',
  reversal: 'the provider took back what had been paid',
}

export const unexpectedMoneyView = z
  .strictObject({
    id: z.uuid(),
    kind: z.enum(unexpectedKinds).meta({
      description: unexpectedKinds.map(kind => `${kind}: ${meanings[kind]}`).join('; '),
    }),
    status: z.enum(unexpectedStatuses).meta({
      description: 'open: nobody has decided on it; refunded: given back to the payer',
    }),
    provider: z.string().meta({ example: 'midtrans' }),
    provider_account_id: z.uuid(),
    mode: z.enum(modes),
    reference: z.string().meta({ description: 'Under which the provider had it' }),
    receipt: z.string().nullable().meta({
      description: "The provider's own id of this arrival of money; null where it gives none",
    }),
    tenant_id: z.uuid().nullable(),
    payment_id: z.uuid().nullable().meta({ description: 'null: nobody knows yet whose it is' }),
    payment_code: z.string().nullable(),
    amount: z.int().meta({ description: 'Cents that arrived, or that were taken back' }),
    expected_amount: z.int().nullable().meta({ description: "Cents; the payment's amount" }),
    in_ledger: z.boolean().meta({
      description: 'Whether it was credited to the tenant; of a reversal, whether it was debited',
    }),
    paid_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
    decided_at: z.iso.datetime().nullable(),
    reason: z.string().nullable().meta({ description: 'Of the decision' }),
  })
  .meta({ id: 'UnexpectedMoney' })

export const viewUnexpectedMoney = (money: KeptMoney): z.output<typeof unexpectedMoneyView> => ({
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
  amount: toJsonNumber(money.amount),
  expected_amount: money.expectedAmount === null ? null : toJsonNumber(money.expectedAmount),
  in_ledger: money.credited,
  paid_at: money.paidAt.toISOString(),
  created_at: money.createdAt.toISOString(),
  decided_at: money.decidedAt?.toISOString() ?? null,
  reason: money.reason,
})
