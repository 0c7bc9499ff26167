import { AMOUNT_RUPIAH, dropCallbacks, insertPending } from '../host/payments.ts'
import type { Measure } from '../measure.ts'
import { besideFloor } from './beside-floor.ts'

const PAYMENTS = 10_000

export const callbacks: Measure = {
  name: 'callbacks',
  title: 'Callbacks accepted: each signature is checked, and each callback is committed before the response',
  run: stage => {
    const { database } = stage
    return besideFloor(stage, {
      name: 'callbacks',
      what: 'callbacks accepted',
      atLeast: 0.7,
      floorConfig: { databaseUrl: database.url, account: database.account },
      traffic: async () => ({
        kind: 'callbacks',
        account: database.account,
        references: (await insertPending(database, PAYMENTS)).map(({ reference }) => reference),
        amountRupiah: AMOUNT_RUPIAH,
      }),
    }).finally(() => dropCallbacks(database))
  },
}
