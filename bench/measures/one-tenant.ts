import { inTurn, type Measure } from '../measure.ts'
import { callbacksOf } from './apply.ts'
import { withApplying } from './applying.ts'

const MANY = 1_000

export const oneTenant: Measure = {
  name: 'one-tenant',
  title: 'Callbacks applied for one tenant, compared with 1,000 tenants',
  run: stage =>
    withApplying(stage, 'one-tenant', async ({ product }) => {
      const count = callbacksOf(stage)
      await product(Math.ceil(count / 4), MANY)
      const compared = await inTurn(stage, {
        product: () => product(count, 1),
        floor: () => product(count, MANY),
      })
      return {
        lines: [
          {
            what: 'callbacks applied for one tenant; for 1,000 tenants',
            unit: '/s',
            ...compared,
            bound: { atLeast: 0.9 },
          },
        ],
      }
    }),
}
