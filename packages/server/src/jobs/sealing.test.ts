// Tests when a worker process updates the metric for the last successful sealing (hashing) of the ledger. The alert
// GapuraLedgerNotSealed depends on this metric.

import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/support/database.ts'
import { shop, tamper } from '../../test/support/ledger.ts'
import { keyRingLoader } from '../auth/tokens/key-ring.ts'
import type { KeyRing } from '../auth/tokens/token.ts'
import { issueLedgerStatement } from '../ledger/issue-statement.ts'
import { ledgerMetrics } from '../ledger/ledger-metrics.ts'
import { lockSealing } from '../ledger/seal.sql.ts'
import { sealLedger } from '../ledger/seal-ledger.ts'
import { createLog } from '../logging/log.ts'
import { loadSecrets } from '../secrets/secrets.ts'
import { startSealing } from './sealing.ts'

const clock = () => new Date('2026-11-20T03:04:05Z')
const log = createLog('silent')
let database: TestDatabase
let keyRing: () => Promise<KeyRing>
let tenantId: string
beforeEach(async () => {
  database = await testDatabase()
  const secrets = await loadSecrets(database.db, { masterKey: randomBytes(32) })
  keyRing = keyRingLoader(database.db, secrets, clock, 'https://pay.example.com')
  ;({ tenantId } = await shop(database.db, 2))
})

/**
 * Seals the ledger and signs a ledger statement once, as a worker process does. Returns whether the process
 * updated the metric for the last successful sealing. The function `beforeSigning` runs between sealing and
 * signing.
 */
async function updatesMetric(beforeSigning: () => Promise<unknown> = async () => {}): Promise<boolean> {
  const update = vi.spyOn(ledgerMetrics.sealedAt, 'setToCurrentTime')
  const isSealed = Promise.withResolvers<void>()
  const sealing = startSealing({
    ...{ db: database.db, clock, log },
    // The process reads its keys between sealing the ledger and signing a ledger statement, so
    // `beforeSigning` runs here.
    async keyRing() {
      isSealed.resolve()
      await beforeSigning()
      return keyRing()
    },
  })
  // The process also updates the metric when it starts. The test ignores this first update.
  update.mockClear()
  await isSealed.promise
  await sealing.stop()
  const isUpdated = update.mock.calls.length > 0
  update.mockRestore()
  return isUpdated
}

/**
 * Runs `work` while another transaction holds the lock for sealing and signing, as if another process were
 * sealing.
 */
const whileLocked = <Result>(work: () => Promise<Result>): Promise<Result> =>
  database.db.transaction(async tx => {
    expect(await lockSealing(tx)).toBe(true)
    return work()
  })
const rewriteSeals = () =>
  tamper(database.url, [
    "update ledger_seals set hash = sha256('rewritten') where tenant_id = $1",
    [tenantId],
  ])

test('each successful run updates the sealing metric, whether or not a ledger statement was due', async () => {
  expect(await updatesMetric()).toBe(true)
  expect(await updatesMetric()).toBe(true)
})

test('a worker does not update the sealing metric while another worker seals (hashes) the ledger', async () => {
  expect(await whileLocked(() => updatesMetric())).toBe(false)
})

test('a worker that a lock prevents from signing a ledger statement does not update the sealing metric', async () => {
  const release = Promise.withResolvers<void>()
  let other: Promise<void> | undefined
  const lock = async () => {
    const isLocked = Promise.withResolvers<void>()
    other = whileLocked(async () => {
      isLocked.resolve()
      await release.promise
    })
    await isLocked.promise
  }
  const isUpdated = await updatesMetric(lock)
  release.resolve()
  await other
  expect(isUpdated).toBe(false)
})

test('if seals (hashes of ledger entries) were rewritten, no worker updates the sealing metric', async () => {
  await sealLedger({ db: database.db, log })
  await issueLedgerStatement({ db: database.db, clock, log, keyRing })
  await rewriteSeals()
  await tamper(database.url, ["update ledger_statements set stated_at = now() - interval '1 hour'", []])
  expect(await updatesMetric()).toBe(false)
  expect(await whileLocked(() => updatesMetric())).toBe(false)
})
