import { z } from 'zod'
import { type Caller, modeOfCaller } from '../api/context.ts'
import { afterId, badCursor, pageInput, pageOf, toPage } from '../api/page.ts'
import { router, tenantProcedure } from '../api/trpc.ts'
import { fault } from '../faults/fault.ts'
import { type Mode, modes } from '../values/mode.ts'
import { toJsonNumber } from '../values/money.ts'
import { findBalance, findEntryVersion, listEntries, sumUndecidedReturns } from './ledger.sql.ts'
import {
  balanceView,
  ledgerEntryView,
  ledgerSealView,
  viewLedgerEntry,
  viewLedgerSeal,
} from './ledger-view.ts'

const mode = z.enum(modes).optional().meta({
  description:
    'Mode of the balance or ledger. An API key can access only its own mode and can omit this. For a user, the default is `live`',
})

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
          'Returns your balance in one mode: the money of paid payments minus reversals and refunds. `held` is the part that is reserved for reported refunds and chargebacks.',
      },
    })
    .input(z.object({ mode }))
    .output(balanceView)
    .query(async ({ ctx, input }) => {
      const mode = chosenMode(ctx.caller, input.mode, 'balance')
      const { tenantId } = ctx.caller
      return {
        mode,
        currency: 'IDR',
        balance: toJsonNumber(await findBalance(ctx.app.db, tenantId, mode)),
        held: toJsonNumber(await sumUndecidedReturns(ctx.app.db, tenantId, mode)),
      }
    }),

  entries: tenantProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/ledger',
        operationId: 'listLedger',
        tags: ['Account'],
        summary: 'List the ledger entries',
        description:
          'Lists every ledger entry of your balance in one mode, newest first. Entries are never changed or deleted. A correction is a separate entry.',
      },
    })
    .input(pageInput.extend({ mode }))
    .output(pageOf(ledgerEntryView, 'LedgerEntryPage'))
    .query(async ({ ctx, input }) => {
      const { tenantId } = ctx.caller
      const mode = chosenMode(ctx.caller, input.mode, 'ledger')
      const after = afterId(input)
      const before = after === undefined ? null : await findEntryVersion(ctx.app.db, tenantId, mode, after)
      if (before === undefined) throw badCursor()
      const rows = await listEntries(ctx.app.db, tenantId, mode, before, input.limit + 1)
      return toPage(rows, input, viewLedgerEntry)
    }),

  seal: tenantProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/ledger/seal',
        operationId: 'getLedgerSeal',
        tags: ['Account'],
        summary: 'Get the ledger seal',
        description:
          'Returns the ledger seal: a hash of all entries of your ledger in one mode, up to the last signed statement. The statement covers the seals of all balances. Store the seal: if anyone changes, removes or inserts a covered entry, the hash no longer matches.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(z.object({ mode }))
    .output(ledgerSealView)
    .query(async ({ ctx, input }) => {
      const mode = chosenMode(ctx.caller, input.mode, 'ledger')
      const head = await ctx.app.proveHead(ctx.caller.tenantId, mode)
      if (!head) throw fault('ledger_not_sealed')
      return viewLedgerSeal(head)
    }),
})

function chosenMode(caller: Caller, requested: Mode | undefined, what: string): Mode {
  const own = modeOfCaller(caller)
  if (own !== null && requested !== undefined && requested !== own)
    throw fault('ledger_of_other_mode', { own, asked: requested, what })
  return own ?? requested ?? 'live'
}
