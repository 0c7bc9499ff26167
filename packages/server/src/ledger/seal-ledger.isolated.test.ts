import { expect, test, vi } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { shop } from '../../test/support/ledger.ts'
import { paced } from '../db/paced.ts'
import { createLog } from '../logging/log.ts'
import { sealLedger } from './seal-ledger.ts'

vi.mock('../db/paced.ts', { spy: true })

test('each round of sealing (hashing) ledger entries is followed by a pause', async () => {
  const { db } = await testDatabase()
  await shop(db, 1)
  await sealLedger({ db, log: createLog('silent') })
  expect(paced).toHaveBeenCalledOnce()
})
