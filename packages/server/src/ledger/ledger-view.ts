import { z } from 'zod'
import { modes } from '../values/mode.ts'
import { toJsonNumber } from '../values/money.ts'
import type { ProvenHead } from './prove-head.ts'
import { entryTypes, type LedgerEntry } from './transfer.ts'

export const ledgerEntryView = z
  .strictObject({
    id: z.uuid(),
    payment_id: z.uuid(),
    tenant_id: z.uuid(),
    entry_type: z.enum(entryTypes).meta({
      description: 'Ledger entry type: a `credit` increases the balance, a `debit` decreases it',
    }),
    amount: z.int().meta({ description: 'Ledger entry amount, in cents', example: 10_000_000 }),
    balance_after: z
      .int()
      .meta({ description: "The tenant's balance after this ledger entry, in cents", example: 10_000_000 }),
    reference_id: z.string().meta({ example: 'GP261120-7Q4M2ZK8XW' }),
    reason: z.string().meta({
      description: 'Reason for the ledger entry',
      example: 'payment GP261120-7Q4M2ZK8XW received',
    }),
    created_at: z.iso.datetime().meta({ description: 'Time when the ledger entry was posted' }),
  })
  .meta({ id: 'LedgerEntry', description: 'An entry of the ledger. Amounts are in cents' })

/** The approximate size of a ledger entry with a long reason in a response, in bytes. */
export const BYTES_OF_ENTRY = 1_000

/**
 * A ledger entry in a tenant's list. The list can contain entries in both modes, and entries without a payment,
 * such as payouts.
 */
export const accountLedgerEntryView = ledgerEntryView
  .extend({
    payment_id: z.uuid().nullable().meta({
      description: "The ledger entry's payment, or null if it has none, such as a payout",
    }),
    mode: z
      .enum(modes)
      .meta({ description: 'Mode of the balance this ledger entry changed', example: 'live' }),
  })
  .meta({
    id: 'AccountLedgerEntry',
    description: 'A ledger entry, with its mode. Amounts are in cents',
  })

export function viewLedgerEntry<PaymentId extends string | null>(
  entry: LedgerEntry & { paymentId: PaymentId },
) {
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

export const viewAccountLedgerEntry = (entry: LedgerEntry): z.output<typeof accountLedgerEntryView> => ({
  ...viewLedgerEntry(entry),
  mode: entry.mode,
})

export const balanceView = z
  .strictObject({
    mode: z.enum(modes),
    currency: z.literal('IDR'),
    balance: z.int().meta({ description: "The tenant's balance, in cents", example: 10_000_000 }),
    held: z.int().meta({
      description:
        'Refunds and chargebacks that a provider reported and on which the Owner has not decided yet, in cents. They may be debited from the balance. Until then, your own refunds can still use this money',
      example: 0,
    }),
  })
  .meta({ id: 'Balance', description: 'The balance of a tenant in one mode, in cents' })

const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ example: '2c624232cdd221771294dfbb310aca000a0df6ac8b66b696d90ef06fdefb64a3' })

export const ledgerSealView = z
  .strictObject({
    tenant_id: z.uuid(),
    mode: z.enum(modes),
    entries: z.int().meta({
      description:
        'Number of ledger entries that the hash covers, counted from the first entry of the ledger',
      example: 1,
    }),
    hash,
    statement: z.string().meta({
      description:
        'The signed statement about the ledger, a JWT (RS256). `root` is the hash of the seals of all balances; `iat` is the signing time',
      example: 'eyJhbGciOiJSUzI1NiJ9.eyJyb290IjoiLi4uIn0.c2ln',
    }),
    proof: z.array(z.strictObject({ side: z.enum(['left', 'right']), hash })).meta({
      description:
        'Merkle proof that `statement` covers this seal. Each step contains the hash of the sibling and the side on which the sibling is. The hash after the last step equals `root`',
    }),
  })
  .meta({ id: 'LedgerSeal' })

export function viewLedgerSeal(head: ProvenHead): z.output<typeof ledgerSealView> {
  return {
    tenant_id: head.tenantId,
    mode: head.mode,
    entries: Number(head.version),
    hash: head.hash.toString('hex'),
    statement: head.statement,
    proof: head.proof.map(step => ({ side: step.side, hash: step.hash.toString('hex') })),
  }
}
