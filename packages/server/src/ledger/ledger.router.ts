import { z } from 'zod'
import { modeOf } from '../api/context.ts'
import { router, tenantProcedure } from '../api/trpc.ts'
import { GatewayError } from '../errors.ts'
import { modes } from '../mode.ts'
import { toJsonNumber } from '../money.ts'
import { findBalance } from './ledger.sql.ts'
import { balanceView } from './ledger-view.ts'

export const ledgerRouter = router({
  balance: tenantProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/balance',
        operationId: 'getBalance',
        tags: ['Account'],
        summary: 'Get the balance',
        description:
          "The tenant's balance in one mode. An API key has its own mode and need not name it; a user may, and sees `live` otherwise.",
      },
    })
    .input(z.object({ mode: z.enum(modes).optional() }))
    .output(balanceView)
    .query(async ({ ctx, input }) => {
      const own = modeOf(ctx.caller)
      if (own !== null && input.mode !== undefined && input.mode !== own) {
        throw new GatewayError('FORBIDDEN', `a ${own} key cannot see the ${input.mode} balance`)
      }
      const mode = own ?? input.mode ?? 'live'
      return {
        mode,
        currency: 'IDR',
        balance: toJsonNumber(await findBalance(ctx.app.db, ctx.caller.tenantId, mode)),
      }
    }),
})
