// Tests that no provider is called within a database transaction. During the call, such a transaction would hold its
// locks and its database connection.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Knex } from 'knex'
import { expect, test } from 'vitest'
import type { App } from '../../src/app.ts'
import type { Db, Tx } from '../../src/db/db.ts'
import type { AnyProvider } from '../../src/providers/provider.ts'
import { providers } from '../../src/providers/registry.ts'
import { inboxBench, REASON } from '../support/inbox.ts'

const inTransaction = new AsyncLocalStorage<boolean>()
/** The calls to providers. For each call, records whether a database transaction was open. */
const calls: { method: string; isInTransaction: boolean }[] = []

function watch(provider: AnyProvider): AnyProvider {
  const watched = { ...provider }
  for (const method of ['charge', 'inquire', 'listUnpaid', 'decideChallenge'] as const) {
    const call = provider[method]?.bind(provider) as ((...args: unknown[]) => Promise<unknown>) | undefined
    if (!call) continue
    Object.assign(watched, {
      [method]: (...args: unknown[]) => {
        calls.push({ method, isInTransaction: inTransaction.getStore() === true })
        return call(...args)
      },
    })
  }
  return watched
}

const bench = await inboxBench({
  providers: new Map([...providers].map(([code, provider]) => [code, watch(provider)])),
})
markTransactions(bench.app)

function markTransactions({ db }: App): void {
  // Replaces the function in knex's context that `db.transaction` calls, because `db.transaction` itself is
  // read-only.
  const { context } = db as unknown as { context: Pick<Db, 'transaction'> }
  const begin = context.transaction.bind(context)
  const marked = (work: (tx: Tx) => Promise<unknown>, config?: Knex.TransactionConfig) =>
    begin(tx => inTransaction.run(true, () => work(tx)), config)
  Object.defineProperty(context, 'transaction', { value: marked })
}

test('[M25] no provider is called within a database transaction', async () => {
  const challenged = await bench.created()
  await bench.simulated(challenged, 'challenged')
  const accepted = await bench.owner('POST', `/v1/payments/${challenged.id}/resolve`, {
    decision: 'accept',
    reason: REASON,
  })
  expect(accepted.status).toBe(200)

  const expired = await bench.created()
  bench.advance(61 * 60_000)
  await expect.poll(() => bench.statusOf(expired)).toBe('expired')

  expect(new Set(calls.map(({ method }) => method))).toEqual(
    new Set(['charge', 'inquire', 'decideChallenge']),
  )
  expect(calls.filter(({ isInTransaction }) => isInTransaction)).toEqual([])
})

test('the test for invariant M25 detects a provider call within a database transaction', async () => {
  const midtrans = bench.app.providers.get('midtrans') as AnyProvider
  await bench.app.db.transaction(() => midtrans.inquire({} as never, {} as never).catch(() => {}))
  expect(calls.at(-1)).toEqual({ method: 'inquire', isInTransaction: true })
})
