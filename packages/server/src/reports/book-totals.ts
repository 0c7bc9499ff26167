// The report on the books (tenants' double-entry ledgers). For each ledger account, it shows the total over all
// tenants in one mode (docs/book.md).

import { z } from 'zod'
import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { type Account, accountIdOf, fixedAccountIds, UNASSIGNED_ID } from '../ledger/account.ts'
import { type Mode, modes } from '../values/mode.ts'
import { type Cents, MAX_SUM } from '../values/money.ts'
import { type AccountTotal, listNamesOfAccounts, sumAccountsOfBooks } from './book-totals.sql.ts'

const cents = (description: string) => z.int().meta({ description, example: 10_000_000 })

export const bookTotalsView = z
  .strictObject({
    mode: z.enum(modes),
    currency: z.literal('IDR'),
    provider_accounts: z
      .array(
        z.strictObject({
          id: z.uuid().meta({ description: 'Provider account ID' }),
          provider_code: z.string().nullable().meta({
            description:
              'Code of the provider, or null if the provider account was deleted from the database',
            example: 'midtrans',
          }),
          name: z.string().nullable().meta({
            description:
              'Name of the provider account, or null if the provider account was deleted from the database',
          }),
          owed: cents(
            "Amount the provider account owes for the tenants' payments, in cents. Negative if the provider returned more money than it received",
          ),
        }),
      )
      .meta({
        description: 'The provider accounts that received or returned money, sorted by provider and name',
      }),
    owed_by_providers: cents(
      "Total that all provider accounts still owe for the tenants' payments, in cents: the sum of `provider_accounts[].owed`",
    ),
    merchant_balances: z
      .strictObject({
        positive: cents('Sum of the positive balances, in cents: the amount owed to merchants'),
        negative: cents('Sum of the negative balances, in cents: the amount merchants owe'),
      })
      .meta({
        description:
          'The balances of all tenants, including Partners. Positive and negative balances are added up separately',
      }),
    operator_fees: cents("The operator's fees, in cents, minus the fees that were returned to merchants"),
    partner_fees: cents("Partners' fees not yet credited to their balances, in cents"),
    refunds_in_transit: cents('Debited refunds whose outcome is still pending, in cents'),
    payouts_in_transit: cents('Debited payouts whose outcome is still pending, in cents'),
    adjustment: cents(
      'Money that the operator transferred itself, without a provider, minus money that it received this way, in cents. For example, manual refunds increase this amount',
    ),
    unassigned: cents(
      'Total of old ledger entries that do not have a counter-account (the other account of a transfer) yet, in cents. Releases before double-entry accounting posted these entries. After an upgrade, a job adds the counter-accounts, and the total becomes 0',
    ),
    sum: cents(
      'Sum of all accounts, in cents. Amounts that provider accounts owe count as negative. The sum must be 0. Any other value means that someone changed the database directly, without the service',
    ).meta({ example: 0 }),
    unbalanced_books: z.int().min(0).meta({
      description:
        'Number of books whose accounts do not sum to zero. A book contains the double-entry accounts of one tenant',
      example: 0,
    }),
    balanced: z.boolean().meta({
      description: 'True if `sum` and `unbalanced_books` are 0',
      example: true,
    }),
  })
  .meta({
    id: 'BookTotals',
    description:
      'The total of each ledger account in one mode, added up over the books of all tenants. Amounts are in cents',
  })

export async function reportBooks({ db }: { db: Db }, mode: Mode): Promise<z.output<typeof bookTotalsView>> {
  const totals = await sumAccountsOfBooks(db, mode)
  const ofProviders = totals.filter(({ accountId }) => !isFixed(accountId))
  const named = await listNamesOfAccounts(
    db,
    ofProviders.map(({ accountId }) => accountId),
  )
  const accounts = ofProviders.map(({ accountId: id, balance }) => {
    const account = named.find(each => each.id === id)
    const names = { provider_code: account?.providerCode ?? null, name: account?.name ?? null }
    return { id, ...names, owed: toExactNumber(-BigInt(balance)) }
  })
  const byId = new Map(totals.map(total => [total.accountId, total]))
  const balanceOf = (id: string | null) => toExactNumber(BigInt(byId.get(id ?? '')?.balance ?? 0))
  const fixed = (account: Account) => balanceOf(accountIdOf(account))
  const merchant = byId.get(accountIdOf('merchant') ?? '')
  const sum = sumOf(totals)
  const unbalanced = Number(totals[0]?.unbalancedBooks ?? 0)
  return {
    mode,
    currency: 'IDR',
    provider_accounts: accounts.sort(byProviderAndName),
    owed_by_providers: toExactNumber(-sumOf(ofProviders)),
    merchant_balances: {
      positive: toExactNumber(BigInt(merchant?.positive ?? 0)),
      negative: toExactNumber(BigInt(merchant?.negative ?? 0)),
    },
    operator_fees: fixed('fee:operator'),
    partner_fees: fixed('fee:partner'),
    refunds_in_transit: fixed('refunds_in_transit'),
    payouts_in_transit: fixed('payouts_in_transit'),
    adjustment: fixed('adjustment'),
    unassigned: balanceOf(UNASSIGNED_ID),
    sum: toExactNumber(sum),
    unbalanced_books: unbalanced,
    balanced: sum === 0n && unbalanced === 0,
  }
}

const isFixed = (accountId: string): boolean =>
  accountId === UNASSIGNED_ID || fixedAccountIds.includes(accountId)

const sumOf = (totals: readonly AccountTotal[]): Cents =>
  totals.reduce((sum, { balance }) => sum + BigInt(balance), 0n)

type Shown = z.output<typeof bookTotalsView>['provider_accounts'][number]
const keyOf = ({ provider_code, name, id }: Shown) => `${provider_code ?? ''}\n${name ?? ''}\n${id}`
const byProviderAndName = (a: Shown, b: Shown): number => (keyOf(a) < keyOf(b) ? -1 : 1)

/** Converts a total to a JSON number. Rejects a total that a JSON number cannot represent exactly. */
function toExactNumber(total: Cents): number {
  if (total > MAX_SUM || total < -MAX_SUM) throw fault('book_total_too_large', {}, { field: 'mode' })
  return Number(total)
}
