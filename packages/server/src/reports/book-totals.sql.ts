import type { Db } from '../db/db.ts'
import { accountIdOf } from '../ledger/account.ts'
import type { Mode } from '../values/mode.ts'

/**
 * An account's total over the books (double-entry ledgers) of all tenants. Amounts are strings, because they can
 * exceed 64 bits.
 */
export type AccountTotal = {
  accountId: string
  balance: string
  /** The sum of the account's positive balances in the tenants' books (ledgers). */
  positive: string
  /** The sum of the account's negative balances in the tenants' books (ledgers). */
  negative: string
  /**
   * The number of books (tenants' ledgers) whose accounts do not sum to zero. This number covers all
   * accounts, so every row of the result contains the same number.
   */
  unbalancedBooks: bigint
}

/**
 * Sums each account over all tenants' books (ledgers) in one mode. A single statement reads all accounts, so
 * that all sums refer to the same moment.
 */
export async function sumAccountsOfBooks(db: Db, mode: Mode): Promise<AccountTotal[]> {
  const { rows } = await db.raw<{ rows: AccountTotal[] }>(
    `with account as (
       select tenant_id, account_id, balance from book_accounts where mode = :mode
       union all
       select tenant_id, '${accountIdOf('merchant')}', balance from balances where mode = :mode
     )
     select account_id as "accountId", sum(balance)::text as balance,
            coalesce(sum(balance) filter (where balance > 0), 0)::text as positive,
            coalesce(sum(balance) filter (where balance < 0), 0)::text as negative,
            (select count(*) from (select from account group by tenant_id having sum(balance) <> 0) unbalanced)
              as "unbalancedBooks"
     from account group by account_id`,
    { mode },
  )
  return rows
}

export type NamedAccount = { id: string; providerCode: string; name: string }

/**
 * Returns the provider accounts with the given IDs. A separate statement reads the ledgers, because a distributed
 * PostgreSQL can store provider accounts and ledgers on different nodes.
 */
export async function listNamesOfAccounts(db: Db, ids: readonly string[]): Promise<NamedAccount[]> {
  const { rows } = await db.raw<{ rows: NamedAccount[] }>(
    `select id, provider_code as "providerCode", name from provider_accounts where id = any(?::uuid[])`,
    [[...ids]],
  )
  return rows
}
