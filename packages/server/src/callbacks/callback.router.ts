import { z } from 'zod'
import { chosenModeOrId, modeOrIdFilter } from '../api/chosen-mode.ts'
import type { Context } from '../api/context.ts'
import { longListInput, longListOf, totalOf } from '../api/long-list.ts'
import { afterId, type PageInput, pageInput, pageOf, pageWith, startOf } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { nothing } from '../db/count-rows.ts'
import { limitLargeReads } from '../fairness/large-read-limit.ts'
import { limitPageSize, type RowPage } from '../fairness/page-size-limit.ts'
import { shownStatuses } from '../payments/payment.ts'
import { paymentFilter } from '../payments/payment-id-input.ts'
import { idOfPayment } from '../payments/read/payment-list.sql.ts'
import { knownProvider } from '../providers/known-provider.ts'
import { auditTenantsList } from '../support/audit-tenants-list.ts'
import { callbackOutcomes, callbackStatuses } from './callback.sql.ts'
import {
  countCallbacks,
  listCallbacks,
  listRejectedCallbacks,
  type ReceivedMessage,
} from './callback-list.sql.ts'
import { callbackView, rejectedCallbackView, viewCallback, viewRejectedCallback } from './callback-view.ts'
import type { UpdateResult } from './record-callbacks.ts'
import { reprocessCallback } from './reprocess-callback.ts'

const accountFilters = {
  provider: z.string().optional().meta({
    description: 'Only callbacks from the provider whose code is exactly this value',
    example: 'midtrans',
  }),
  provider_account_id: z.uuid().optional().meta({ description: 'Only callbacks for this provider account' }),
}

const reprocessedView = z
  .strictObject({
    outcome: z.enum(callbackOutcomes),
    reason: z.string().nullable(),
    payment_id: z.uuid().nullable(),
    from: z
      .enum(shownStatuses)
      .nullable()
      .meta({ description: "The payment's status before the callback is applied again" }),
    to: z
      .enum(shownStatuses)
      .nullable()
      .meta({ description: "The payment's status after the callback is applied again" }),
    dry_run: z.boolean().meta({
      description:
        'If true, this was a dry run: the response shows what would change, and nothing was changed',
    }),
  })
  .meta({ id: 'ReprocessedCallback', description: 'The result of processing a callback again' })

export const callbackRouter = router({
  list: userProcedure({ permission: ['developer', 'support'], roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/provider-callbacks',
        operationId: 'listProviderCallbacks',
        tags: ['Exceptions'],
        summary: 'List provider callbacks',
        description:
          "Lists the provider callbacks with a valid signature, newest first by default, with each callback's result. If a callback changed nothing, the result contains the reason. To apply a callback again, use `POST /v1/provider-callbacks/{id}/reprocess`. The audit log records whose callbacks were listed, by whom, and with which filters. A page is limited to 512 KiB, so it can have fewer items than `limit`.\n\n`status=unreadable` lists callbacks that this version cannot parse. The service checks each such callback's payment with a status inquiry. After an upgrade, reprocess these callbacks.",
      },
    })
    .input(
      longListInput.extend({
        ...accountFilters,
        mode: modeOrIdFilter('callbacks for provider accounts', '`payment_id` or `provider_account_id`'),
        status: z.enum(callbackStatuses).optional().meta({ description: 'Only callbacks with this status' }),
        payment_id: paymentFilter('callbacks for'),
      }),
    )
    .output(longListOf(callbackView, 'ProviderCallbackPage'))
    .query(async ({ ctx, input }) => {
      const provider = knownProvider(ctx.app.providers, input.provider) ?? null
      const paymentId =
        input.payment_id === undefined ? null : await idOfPayment(ctx.app.db, input.payment_id)
      if (paymentId === undefined)
        return { items: [], next_cursor: null, ...(await totalOf(input, async () => nothing)) }
      const filter = {
        provider,
        providerAccountId: input.provider_account_id ?? null,
        mode: chosenModeOrId(ctx.caller, input.mode, input.payment_id, input.provider_account_id),
        status: input.status ?? null,
        paymentId,
      }
      const start = startOf(input)
      const page = await readPage(ctx, input, most => listCallbacks(ctx.app.db, filter, start, most))
      // The audit log records who lists callbacks, because a callback contains the payer's data.
      await auditTenantsList(ctx.app, ctx.caller, 'callback.list', page.rows, {
        mode: filter.mode ?? 'all',
        ...{ status: input.status, provider: input.provider, provider_account_id: input.provider_account_id },
        payment_id: paymentId ?? undefined,
      })
      return {
        ...pageWith(page.rows, page.hasMore, viewCallback, input.order),
        ...(await totalOf(input, () => countCallbacks(ctx.app.db, filter))),
      }
    }),

  rejected: userProcedure({ permission: ['developer', 'support'], roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/provider-callbacks/rejected',
        operationId: 'listRejectedCallbacks',
        tags: ['Exceptions'],
        summary: 'List rejected provider callbacks',
        description:
          'Lists provider callbacks that were rejected because of their signature or source address, newest first. If many callbacks are rejected after a change of credentials, the provider probably signs with credentials that differ from those of the account. The service stores the latest 200 rejected callbacks of each account, with the first 16 KiB of each body. A page has at most 512 KiB, so it can have fewer items than `limit`.',
      },
    })
    .input(
      pageInput.extend({
        ...accountFilters,
        mode: modeOrIdFilter('callbacks for provider accounts', '`provider_account_id`'),
      }),
    )
    .output(pageOf(rejectedCallbackView, 'RejectedCallbackPage'))
    .query(async ({ ctx, input }) => {
      const filter = {
        provider: knownProvider(ctx.app.providers, input.provider) ?? null,
        providerAccountId: input.provider_account_id ?? null,
        mode: chosenModeOrId(ctx.caller, input.mode, input.provider_account_id),
      }
      const after = afterId(input)
      const page = await readPage(ctx, input, most => listRejectedCallbacks(ctx.app.db, filter, after, most))
      return pageWith(page.rows, page.hasMore, viewRejectedCallback)
    }),

  reprocess: userProcedure({ permission: 'developer', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/provider-callbacks/{id}/reprocess',
        operationId: 'reprocessProviderCallback',
        tags: ['Exceptions'],
        summary: 'Apply a provider callback again',
        description:
          'Parses a stored provider callback again and applies it to its payment. By default, the request is a dry run: the response shows what would change, and nothing changes. To apply the callback, set `dry_run` to false. The request is safe to retry.',
      },
      storesResponseLater: 'calls a provider',
      errors: ['NOT_FOUND', 'PROVIDER_ERROR'],
    })
    .input(
      z.object({
        id: z
          .string()
          .meta({ description: 'UUID of the callback', example: '01990000-0000-7000-8000-000000000005' }),
        dry_run: z.boolean().default(true).meta({
          description:
            'If true, the request is a dry run: the response shows what would change, and nothing changes (default true)',
        }),
      }),
    )
    .output(reprocessedView)
    .mutation(async ({ ctx, input }) => {
      const options = { dryRun: input.dry_run }
      const applied = await reprocessCallback(ctx.app, ctx.caller, input.id, options)
      return viewReprocessed(applied, input.dry_run)
    }),
})

/**
 * Returns a page of callbacks. The page is also limited by its total size. Senders choose the size of their
 * callbacks, and a hundred bodies of 16 KiB would be too large.
 */
const readPage = <Row extends ReceivedMessage>(
  { caller, onReceived }: Pick<Context, 'onReceived'> & { caller: { tenantId: string } },
  { limit }: PageInput,
  list: (most: number) => Promise<Row[]>,
): Promise<RowPage<Row>> =>
  limitLargeReads({ owner: caller.tenantId, onReceived }, async () =>
    limitPageSize(await list(limit + 1), limit, bytesOf),
  )

const BYTES_WITHOUT_WHAT_WAS_SENT = 600

/**
 * Estimates how many bytes a callback adds to the response. In the response, the body is about a third longer
 * than as stored, because of Base64 and JSON escapes.
 */
const bytesOf = ({ headers, body }: ReceivedMessage): number =>
  BYTES_WITHOUT_WHAT_WAS_SENT + JSON.stringify(headers).length + Math.ceil((body.length * 4) / 3)

const viewReprocessed = (applied: UpdateResult, dryRun: boolean): z.output<typeof reprocessedView> => ({
  outcome: applied.status,
  reason: applied.reason,
  payment_id: applied.paymentId,
  from: applied.from,
  to: applied.to,
  dry_run: dryRun,
})
