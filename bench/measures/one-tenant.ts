import { inTurn, type Measure } from '../measure.ts'
import { callbacksOf } from './apply.ts'
import { withApplying } from './applying.ts'

const MANY = 1_000

export const oneTenant: Measure = {
  name: 'one-tenant',
  title: 'Callbacks applied for one tenant, compared with callbacks applied for 1,000 tenants',
  run: stage =>
    withApplying(stage, 'one-tenant', async ({ product }) => {
      const count = callbacksOf(stage)
      const of = (tenants: number) => product({ count, tenants, feeTerms: null })
      await product({ count: Math.ceil(count / 4), tenants: MANY, feeTerms: null })
      const compared = await inTurn(stage, {
        product: () => of(1),
        floor: () => of(MANY),
      })
      return {
        lines: [
          {
            what: 'callbacks applied for one tenant; callbacks applied for 1,000 tenants',
            unit: '/s',
            ...compared,
            bound: { atLeast: 0.9 },
          },
        ],
      }
    }),
}
