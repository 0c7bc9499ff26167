import { z } from 'zod'
import { exportStyle } from '../api/export-style.ts'
import { longListInput, longListOf, totalOf } from '../api/long-list.ts'
import { afterNumber, pageFrom, pageInput, pageOf, startOf, toPage } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import type { Providers } from '../providers/provider.ts'
import { day } from '../values/day.ts'
import { isId } from '../values/id.ts'
import { exportSettlement } from './export-settlement.ts'
import { countSettlements, isAccountOf, listSettlements } from './settlement.sql.ts'
import {
  settlementAsCsv,
  settlementExportLine,
  settlementLineView,
  viewSettlementLine,
} from './settlement-line-view.ts'
import { findSettlementId, listLinesOfSettlement } from './settlement-lines.sql.ts'
import { settlementView, viewSettlement } from './settlement-view.ts'
import { uploadSettlement } from './upload-settlement.ts'

/** The maximum size of an uploaded settlement file. A file with 100,000 lines has about 8 MiB. */
const MAX_BYTES = 64 * 1024 * 1024

/**
 * The path parameters that identify a provider account. Their format is not validated, because an invalid code or
 * id belongs to no account, so the response is 404.
 */
const accountPath = z.object({
  provider_code: z.string().meta({ description: 'Code of the provider', example: 'midtrans' }),
  account_id: z
    .string()
    .meta({ description: 'Provider account UUID', example: '01990000-0000-7000-8000-000000000014' }),
})

export const settlementRouter = router({
  upload: userProcedure({ permission: 'finance', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'PUT',
        path: '/v1/providers/{provider_code}/accounts/{account_id}/settlements/{date}',
        operationId: 'uploadSettlement',
        tags: ['Providers'],
        summary: 'Upload a settlement',
        description:
          "Uploads a provider account's settlement for one day, as CSV with a header line. The upload replaces the account's previous settlement for that day. If a line is invalid, nothing changes, and the error names the line and the column.\n\n| Column | Required | Content |\n| --- | --- | --- |\n| `reference` | yes | The payment's reference at the provider |\n| `amount` | yes | Rupiah, with up to two decimals after a point |\n| `currency` | no | `IDR` |\n| `status` | no | `paid` (default), `refunded` or `reversed` |\n| `paid_at` | no | Payment time in ISO 8601 format with a time zone |\n| `provider_payment_id` | no | The provider's ID for the payment |\n| `fee` | no | Fee in rupiah |\n\nOther columns are ignored.",
      },
      upload: { type: 'text/csv', maxBytes: MAX_BYTES },
      errors: ['NOT_FOUND'],
    })
    .input(
      accountPath.extend({ date: day.meta({ description: 'Day in Asia/Jakarta', example: '2026-11-19' }) }),
    )
    .output(settlementView)
    .mutation(async ({ ctx, input: { provider_code, account_id, date } }) => {
      const accountId = await accountOf(ctx.app, provider_code, account_id)
      if (!ctx.upload) throw fault('upload_needed')
      return viewSettlement(await uploadSettlement(ctx.app, ctx.caller, { accountId, date }, ctx.upload))
    }),

  list: userProcedure({ permission: 'viewer', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/providers/{provider_code}/accounts/{account_id}/settlements',
        operationId: 'listSettlements',
        tags: ['Providers'],
        summary: "List a provider account's settlements",
        description: "Lists a provider account's uploaded settlements, newest first by default.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(accountPath.extend(longListInput.shape))
    .output(longListOf(settlementView, 'SettlementPage'))
    .query(async ({ ctx, input }) => {
      const accountId = await accountOf(ctx.app, input.provider_code, input.account_id)
      const rows = await listSettlements(ctx.app.db, accountId, startOf(input), input.limit + 1)
      return {
        ...toPage(rows, input, viewSettlement),
        ...(await totalOf(input, () => countSettlements(ctx.app.db, accountId))),
      }
    }),

  lines: userProcedure({ permission: 'finance', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/providers/{provider_code}/accounts/{account_id}/settlements/{date}',
        operationId: 'listSettlementLines',
        tags: ['Providers'],
        summary: "List a settlement's lines",
        description:
          "Lists an uploaded settlement's lines, in the order of the file. To export all lines, send `Accept: text/csv`, `Accept: application/x-ndjson` or `Accept: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet`. An export ignores `limit` and `cursor`.",
      },
      lines: { schema: settlementExportLine, csv: settlementAsCsv },
      errors: ['NOT_FOUND'],
    })
    .input(
      accountPath.extend(pageInput.shape).extend({
        date: day.meta({ description: 'Day in Asia/Jakarta', example: '2026-11-19' }),
        style: exportStyle,
      }),
    )
    .output(pageOf(settlementLineView, 'SettlementLinePage'))
    .query(async ({ ctx, input }) => {
      const accountId = await accountOf(ctx.app, input.provider_code, input.account_id)
      const settlementId = await findSettlementId(ctx.app.db, { accountId, date: input.date })
      if (settlementId === undefined) throw fault('settlement_not_found', { date: input.date })
      if (ctx.isStreamed && ctx.writeLine) {
        await exportSettlement(ctx.app.db, ctx.caller.tenantId, settlementId, ctx.writeLine)
        return { items: [], next_cursor: null }
      }
      const rows = await listLinesOfSettlement(ctx.app.db, settlementId, afterNumber(input), input.limit + 1)
      const lines = rows.slice(0, input.limit)
      const last = rows.length > lines.length ? lines.at(-1) : undefined
      return pageFrom(lines, last && String(last.line), viewSettlementLine)
    }),
})

/**
 * Returns the ID of the request's provider account if the account belongs to the provider. An unknown provider
 * code is rejected before the query, because it may contain characters that PostgreSQL cannot store.
 */
async function accountOf(
  app: { db: Db; providers: Providers },
  providerCode: string,
  id: string,
): Promise<string> {
  if (!isId(id) || !app.providers.has(providerCode) || !(await isAccountOf(app.db, providerCode, id)))
    throw fault('provider_account_not_found', { id })
  return id
}
