import type { Measure } from '../measure.ts'
import { besideFloor } from './beside-floor.ts'

export const create: Measure = {
  name: 'create',
  title:
    'Payments created: each create checks the API key and the input, calls the provider, and commits twice',
  run: stage => {
    const { database, sandbox } = stage
    return besideFloor(stage, {
      name: 'create',
      what: 'create',
      atLeast: 0.7,
      floorConfig: {
        databaseUrl: database.url,
        tenants: database.tenants,
        account: database.account,
        sandboxUrl: sandbox.url,
      },
      traffic: async () => ({ kind: 'create', keys: database.tenants.flatMap(({ keys }) => keys) }),
    })
  },
}
