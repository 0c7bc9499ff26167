// The accounts in a tenant's book (double-entry ledger, docs/book.md). Each tenant has one book for live mode and
// one for test mode. Each transfer is between two accounts, so a book's balances always sum to zero.

/**
 * The accounts in a tenant's book (double-entry ledger):
 *
 * - `merchant`: the money owed to the tenant. The API shows this balance and its entries.
 * - `provider:<id>`: the money that this provider account owes for the tenant's payments. If the provider account owes
 *   money, the balance is negative.
 * - `provider`: the `provider:<id>` account of the provider account that received the money. The database looks up the
 *   ID, so the caller need not know it.
 * - `fee:operator`, `fee:partner`: fees charged to the tenant.
 * - `refunds_in_transit`, `payouts_in_transit`: money debited from the merchant and not yet paid out.
 * - `adjustment`: money that moved without a provider, for example in a bank transfer by the Owner.
 */
export type Account = keyof typeof fixedIds | 'provider' | `provider:${string}`

/**
 * The account IDs that are the same in every ledger. Migration 0047 contains the same list. The IDs of
 * provider accounts are not in the list.
 */
const fixedIds = {
  merchant: '00000000-0000-0000-0000-000000000001',
  'fee:operator': '00000000-0000-0000-0000-000000000003',
  'fee:partner': '00000000-0000-0000-0000-000000000004',
  refunds_in_transit: '00000000-0000-0000-0000-000000000005',
  payouts_in_transit: '00000000-0000-0000-0000-000000000006',
  adjustment: '00000000-0000-0000-0000-000000000007',
} as const

/**
 * The placeholder for an unknown counter-account (the other account of the transfer). Entries from before
 * double-entry bookkeeping have no counter-account, so a job replaces the placeholder with the real account
 * (complete-books.ts).
 */
export const UNASSIGNED_ID = '00000000-0000-0000-0000-000000000002'

/**
 * Returns the ID of an account in a tenant's book (double-entry ledger), or null for `provider`, whose ID the
 * database looks up.
 */
export function accountIdOf(account: Account): string | null {
  if (account === 'provider') return null
  return account.startsWith('provider:')
    ? account.slice('provider:'.length)
    : fixedIds[account as keyof typeof fixedIds]
}

/**
 * The IDs of the ledger accounts that do not belong to a provider account, such as `merchant`. SQL statements treat any
 * other ID as a provider account's.
 */
export const fixedAccountIds: readonly string[] = Object.values(fixedIds)

const namesById = new Map<string, string>([
  ...Object.entries(fixedIds).map(([name, id]) => [id, name] as const),
  [UNASSIGNED_ID, 'unassigned'],
])

export const accountNameOf = (id: string): string => namesById.get(id) ?? `provider:${id}`
