import { z } from 'zod'
import { modes } from '../mode.ts'
import { toJsonNumber } from '../money.ts'
import type { LedgerEntry } from './posting.ts'

export const ledgerEntryView = z
  .strictObject({
    id: z.uuid(),
    payment_id: z.uuid(),
    tenant_id: z.uuid(),
    entry_type: z
      .enum(['credit', 'debit'])
      .meta({ description: 'credit raises the balance, debit lowers it' }),
    amount: z.int().meta({ description: 'Cents moved', example: 10_000_000 }),
    balance_after: z
      .int()
      .meta({ description: "Cents; the tenant's balance after this entry", example: 10_000_000 }),
    reference_id: z.string().meta({ example: 'GP261120-7Q4M2ZK8XW' }),
    reason: z.string().meta({ example: 'payment GP261120-7Q4M2ZK8XW received' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'LedgerEntry' })

export function viewLedgerEntry(entry: LedgerEntry): z.output<typeof ledgerEntryView> {
  return {
    id: entry.id,
    payment_id: entry.paymentId,
    tenant_id: entry.tenantId,
    entry_type: entry.entryType,
    amount: toJsonNumber(entry.amount),
    balance_after: toJsonNumber(entry.balanceAfter),
    reference_id: entry.referenceId,
    reason: entry.reason,
    created_at: entry.createdAt.toISOString(),
  }
}

export const balanceView = z
  .strictObject({
    mode: z.enum(modes),
    currency: z.literal('IDR'),
    balance: z.int().meta({ description: 'Cents', example: 10_000_000 }),
  })
  .meta({ id: 'Balance' })
