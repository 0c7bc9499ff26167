import { anyPayments } from '../host/payments.ts'
import type { Measure } from '../measure.ts'
import { besideFloor } from './beside-floor.ts'

/**
 * The number of payments that the benchmark reads. These payments fit neither into the service's caches nor
 * on a single index page.
 */
const PAYMENTS = 50_000

export const get: Measure = {
  name: 'get',
  title: 'Payments read by id',
  run: stage => {
    const { database } = stage
    return besideFloor(stage, {
      name: 'get',
      what: 'get by id',
      atLeast: 0.7,
      floorConfig: { databaseUrl: database.url, tenants: database.tenants },
      traffic: async () => ({ kind: 'get', payments: await anyPayments(database, PAYMENTS) }),
    })
  },
}
