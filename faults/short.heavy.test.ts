// Runs a short version of a round of npm run test:faults, with twelve kinds of fault. GAPURA_FAULTS_SEED=…
// selects another seed.

import pg from 'pg'
import { expect, test } from 'vitest'
import type { RuleName } from './checker/rules.ts'
import { runRound } from './round.ts'
import type { FaultName } from './schedule.ts'

const seed = Number(process.env.GAPURA_FAULTS_SEED ?? 20261122)

/** The faults kill each kind of process, disturb each network link, and include each kind of network fault. */
const names: FaultName[] = [
  'kill api',
  'kill worker',
  'kill postgres',
  'restart postgres',
  'cut database',
  'delay provider',
  'freeze receiver',
  'mute api',
  'fill connections',
  'lock tables',
  'move clock',
  'rotate credentials',
]

/**
 * The maximum time without progress on due work. It is generous, because other tests run on the same machine.
 * Only npm run test:faults measures the recovery time.
 */
const STUCK_AFTER_MS = 180_000

/**
 * For each rule, an SQL statement that changes the round's database so that the rule is violated. The
 * statements run one after another.
 */
const planted: [RuleName, string][] = [
  [
    'no payment of the exact amount waits for a decision of the Owner, unless it is late',
    `insert into unexpected_money (id, kind, provider, provider_account_id, mode, reference, receipt, amount,
     credited, paid_at, created_at)
     select gen_random_uuid(), 'unknown_reference', provider_code, id, mode, 'planted', '', 1, false, now(), now()
     from provider_accounts limit 1`,
  ],
  [
    'every webhook event is delivered',
    `insert into webhook_events (tenant_id, id, payment_id, number, mode, type, body, status, created_at)
     select tenant_id, gen_random_uuid(), payment_id, 99, mode, type, '{}', 'delivered', created_at from webhook_events limit 1`,
  ],
  [
    'every delivered webhook is signed and has an event',
    `delete from webhook_events where (tenant_id, id) =
     (select tenant_id, id from webhook_events where type = 'payment.paid' and number < 99 order by id limit 1)`,
  ],
  [
    'every payment has a complete timeline',
    `delete from payment_transitions where (tenant_id, payment_id, number) =
     (select tenant_id, payment_id, number from payment_transitions
      where from_status <> to_status order by payment_id, number desc limit 1)`,
  ],
  [
    'every balance equals the sum of its entries',
    `update balances set balance = balance + 1 where version > 0`,
  ],
  [
    'every acknowledged callback is applied',
    `update provider_callbacks set status = 'received', headers = '{}', body = '{}', message_compressed = null
     where status = 'applied'`,
  ],
  [
    'every received payment has exactly one credit',
    `update ledger_entries set amount = amount - 1 where version = 1`,
  ],
  [
    'no payment is paid or credited unless the provider received money for it',
    `update payments set amount_paid = amount_paid + 1 where (tenant_id, id) =
     (select tenant_id, id from payments where status = 'paid' order by id desc limit 1)`,
  ],
  [
    'every payment with a credit is paid',
    `delete from ledger_entries where (tenant_id, payment_id) =
     (select tenant_id, id from payments where status = 'paid' order by id limit 1)`,
  ],
  [
    'every payment whose create request returned 200 exists',
    `delete from payments where (tenant_id, id) =
     (select tenant_id, id from payments where status = 'paid' order by id desc limit 1)`,
  ],
]

test(`seed ${seed}: no payment, callback or webhook is lost during twelve kinds of fault`, {
  timeout: 600_000,
}, async () => {
  const said: string[] = []
  const seen: [RuleName, boolean][] = []
  const result = await runRound({
    seed,
    apis: 1,
    workers: 1,
    seconds: 12,
    rate: 8,
    faults: names.length,
    names,
    stuckAfterMs: STUCK_AFTER_MS,
    progress: line => said.push(line),
    async afterwards({ databaseUrl, look }) {
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      await client.query('set session_replication_role = replica')
      const known = new Set((await look()).map(({ rule }) => rule))
      for (const [rule, sql] of planted) {
        await client.query(sql)
        const found = (await look()).map(each => each.rule)
        seen.push([rule, !known.has(rule) && found.includes(rule)])
        for (const each of found) known.add(each)
      }
      await client.end()
    },
  })
  expect(result.violations, said.join('\n')).toEqual([])
  expect(Object.keys(result.faults).toSorted()).toEqual(names.toSorted())
  expect(result.paid).toBeGreaterThan(0)
  expect(result.refunds.succeeded).toBeGreaterThan(0)
  // Each of the planted SQL statements violates one rule. The checker must have found every violation.
  expect(seen).toEqual(planted.map(([rule]) => [rule, true]))
})
