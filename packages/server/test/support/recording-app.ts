// Runs only the code of the service that charges payments, sends status inquiries and records the results. This code
// uses one provider, whose responses the test defines.

import type { Db } from '../../src/db/db.ts'
import { createLog } from '../../src/logging/log.ts'
import type { RecordInBatch } from '../../src/payments/record/event-batch.ts'
import { recordEventsOfKnown } from '../../src/payments/record/record-known.ts'
import { midtrans } from '../../src/providers/midtrans/midtrans.ts'
import type { AnyProvider } from '../../src/providers/provider.ts'
import { alwaysHealthy } from './always-healthy.ts'
import { noCallbackRules, now } from './make.ts'

/**
 * Returns the parts of the app that charge payments, send status inquiries, and record the results. The test can
 * change `state` at any time: `state.provider` overrides functions in Midtrans' adapter, and `state.at` is the
 * current time.
 */
export function recordingApp(db: Db) {
  const state = { at: now, provider: {} as Partial<AnyProvider> }
  const recordInBatch: RecordInBatch = async event => {
    const [recorded] = await recordEventsOfKnown(db, [event], state.at)
    if (!recorded) throw new Error('recordEventsOfKnown returned no result for an event')
    return recorded
  }
  const app = {
    db,
    recordInBatch,
    clock: () => state.at,
    log: createLog('silent'),
    health: { ...alwaysHealthy },
    publicUrl: 'https://pay.example.com',
    publicIp: undefined as string | undefined,
    accountOf: async (id: string) => ({
      provider: { ...midtrans, ...state.provider },
      account: { id, mode: 'live' as const, credentials: {}, baseUrl: null },
      callbackRules: noCallbackRules,
    }),
  }
  return { app, state }
}
