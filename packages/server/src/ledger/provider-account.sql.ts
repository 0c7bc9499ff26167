// Finds the provider account that received the money of a ledger transfer. This file is used only on a
// distributed database, because a database function does the same on a single PostgreSQL server.

import type { Tx } from '../db/db.ts'
import type { Account } from './account.ts'
import type { Transfer } from './transfer.ts'

/**
 * Replaces the placeholder account `provider` of ledger transfers with the ID of the provider account that received the
 * money. On PostgreSQL without Citus, the database function `provider_account_of` does this instead. On Citus, this
 * function cannot be used, because the table `payment_references` is not on the tenant's shard.
 */
export const withProviderAccounts = (tx: Tx, transfers: Transfer[]): Promise<Transfer[]> =>
  Promise.all(
    transfers.map(async each => {
      if (each.from !== 'provider' && each.to !== 'provider') return each
      const account: Account = `provider:${await findProviderAccount(tx, each)}`
      const known = (of: Account) => (of === 'provider' ? account : of)
      return { ...each, from: known(each.from), to: known(each.to) }
    }),
  )

type Cause = Pick<Transfer, 'tenantId' | 'paymentId' | 'unexpectedMoneyId'>

async function findProviderAccount(tx: Tx, cause: Cause): Promise<string> {
  const { tenantId, paymentId, unexpectedMoneyId } = cause
  const first = async (sql: string, values: readonly (string | null)[]) => {
    const { rows } = await tx.raw<{ rows: { id: string; reference?: string }[] }>(sql, values)
    return rows[0]
  }
  const ofMoney = await first('select provider_account_id as id from unexpected_money where id = ?', [
    unexpectedMoneyId,
  ])
  if (ofMoney) return ofMoney.id
  const payment = await first(
    'select provider_account_id as id, paid_reference as reference from payments where tenant_id = ? and id = ?',
    [tenantId, paymentId],
  )
  if (!payment) throw new Error(`there is no payment ${paymentId}`)
  const ofReference = await first(
    'select provider_account_id as id from payment_references where reference = ? and tenant_id = ? and payment_id = ?',
    [payment.reference ?? null, tenantId, paymentId],
  )
  return (ofReference ?? payment).id
}
