// A record of unexpected money, as the Owner sees it.

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
  increase: 'more money for the receipt that paid the payment',
  paid_after_reversal: 'paid again after the provider took the money back',
  reversal: 'the provider took back what had been paid',
  refund: 'the provider reports a refund to the payer',
  chargeback: "the payer's bank takes the money back",
}

export const unexpectedMoneyView = z
  .strictObject({
    id: z.uuid(),
    kind: z.enum(unexpectedKinds).meta({
      description: unexpectedKinds.map(kind => `${kind}: ${meanings[kind]}`).join('; '),
    }),
    status: z.enum(unexpectedStatuses).meta({
      description:
        'open: it waits for a decision; refunded: it went back to the payer; dismissed: a refund or chargeback that moves no balance',
    }),
    provider: z.string().meta({ example: 'midtrans' }),
    provider_account_id: z.uuid(),
    mode: z.enum(modes),
    reference: z.string().meta({ description: 'Under which the provider had it' }),
    receipt: z.string().nullable().meta({
      description: "The provider's own id of this arrival or return of money; null where it gives none",
    }),
    tenant_id: z.uuid().nullable(),
    payment_id: z.uuid().nullable().meta({ description: 'null: nobody knows yet whose it is' }),
    payment_code: z.string().nullable(),
    amount: z.int().meta({
      description:
        'Cents that arrived, or that went back; 0: the provider did not report how much a refund or chargeback is',
    }),
    expected_amount: z.int().nullable().meta({ description: "Cents; the payment's amount" }),
    in_ledger: z.boolean().meta({
      description:
        'Whether it was credited to the tenant; of a reversal, refund or chargeback, whether it was debited',
    }),
    return_status: z.enum(['pending', 'succeeded', 'failed']).nullable().meta({
      description: 'Of a refund or chargeback: what the provider last reported. Null for every other kind',
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
  amount: toJsonNumber(money.amount ?? 0n),
  expected_amount: money.expectedAmount === null ? null : toJsonNumber(money.expectedAmount),
  in_ledger: money.credited,
  return_status: money.returnStatus,
  paid_at: money.paidAt.toISOString(),
  created_at: money.createdAt.toISOString(),
  decided_at: money.decidedAt?.toISOString() ?? null,
  reason: money.reason,
})
