import { z } from 'zod'
import { chosenMode, chosenSingleMode, modeFilter } from '../api/chosen-mode.ts'
import { exportStyle } from '../api/export-style.ts'
import { longListInput, longListOf, totalOf } from '../api/long-list.ts'
import { badCursor, startOf, toPage } from '../api/page.ts'
import { router, tenantProcedure } from '../api/trpc.ts'
import { fault } from '../faults/fault.ts'
import { modes } from '../values/mode.ts'
import { toJsonNumber } from '../values/money.ts'
import { exportLedger, ledgerAsCsv, ledgerLine } from './export-ledger.ts'
import { countEntries, findBalance, findPosition, listEntries, sumUndecidedReturns } from './ledger.sql.ts'
import {
  accountLedgerEntryView,
  balanceView,
  ledgerSealView,
  viewAccountLedgerEntry,
  viewLedgerSeal,
} from './ledger-view.ts'

const mode = z.enum(modes).optional().meta({
  description:
    "Mode of the balance or ledger seal to return. `live` and `test` have separate balances and seals. Defaults to the API key's mode, or to `live` for a user. An API key can access only its own mode; the other mode returns 403",
})

export const ledgerRouter = router({
  balance: tenantProcedure({ permission: 'viewer', scope: 'reports' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/balance',
        operationId: 'getBalance',
        tags: ['Account'],
        summary: 'Get the balance',
        description:
          'Returns your balance in one mode. The balance is all credits minus all debits in your ledger, such as paid payments, fees, reversals and refunds. `held` is the sum of the refunds and chargebacks that a provider reported and on which the Owner has not decided yet. They may be debited; until then, your own refunds can still use this money.',
      },
    })
    .input(z.object({ mode }))
    .output(balanceView)
    .query(async ({ ctx, input }) => {
      const mode = chosenSingleMode(ctx.caller, input.mode)
      const { tenantId } = ctx.caller
      return {
        mode,
        currency: 'IDR',
        balance: toJsonNumber(await findBalance(ctx.app.db, tenantId, mode)),
        held: toJsonNumber(await sumUndecidedReturns(ctx.app.db, tenantId, mode)),
      }
    }),

  entries: tenantProcedure({ permission: 'viewer', scope: 'reports' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/ledger',
        operationId: 'listLedger',
        tags: ['Account'],
        summary: 'List the ledger entries',
        description:
          'Lists every ledger entry for your balance, newest first by default. Each mode has a separate balance; with `mode=all`, the entries of the live balance come before those of the test balance. Entries are never changed or deleted. A correction is a separate entry.\n\nTo export all entries, send `Accept: text/csv`, `Accept: application/x-ndjson` or `Accept: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet`. An export ignores `limit` and `cursor`. You can run two exports at a time.',
      },
      lines: { schema: ledgerLine, csv: ledgerAsCsv, permission: 'finance' },
    })
    .input(longListInput.extend({ mode: modeFilter('entries'), style: exportStyle }))
    .output(longListOf(accountLedgerEntryView, 'LedgerEntryPage'))
    .query(async ({ ctx, input }) => {
      const { tenantId } = ctx.caller
      const mode = chosenMode(ctx.caller, input.mode)
      if (ctx.isStreamed && ctx.writeLine) {
        await exportLedger(ctx.app.db, tenantId, mode, input.order, ctx.writeLine)
        return { items: [], next_cursor: null }
      }
      const { order, afterId: id } = startOf(input)
      const after = id === undefined ? null : await findPosition(ctx.app.db, tenantId, mode, id)
      if (after === undefined) throw badCursor()
      const rows = await listEntries(ctx.app.db, tenantId, mode, after, input.limit + 1, order)
      return {
        ...toPage(rows, input, viewAccountLedgerEntry),
        ...(await totalOf(input, () => countEntries(ctx.app.db, tenantId, mode))),
      }
    }),

  seal: tenantProcedure({ permission: 'viewer', scope: 'reports' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/ledger/seal',
        operationId: 'getLedgerSeal',
        tags: ['Account'],
        summary: 'Get the ledger seal',
        description:
          'Returns the ledger seal: a hash of all entries in your ledger in one mode, up to the last signed statement. The statement covers the seals of all balances. Store the seal: if anyone changes, removes or inserts a covered entry, the hash no longer matches.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(z.object({ mode }))
    .output(ledgerSealView)
    .query(async ({ ctx, input }) => {
      const mode = chosenSingleMode(ctx.caller, input.mode)
      const head = await ctx.app.proveHead(ctx.caller.tenantId, mode)
      if (!head) throw fault('ledger_not_sealed')
      return viewLedgerSeal(head)
    }),
})
