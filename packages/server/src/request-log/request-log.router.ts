import { z } from 'zod'
import { chosenMode, modeFilter } from '../api/chosen-mode.ts'
import { modeOfCaller } from '../api/context.ts'
import { longListInput, longListOf, totalOf } from '../api/long-list.ts'
import { pageFrom, startOf } from '../api/page.ts'
import { router, tenantProcedure } from '../api/trpc.ts'
import { fault } from '../faults/fault.ts'
import { rule } from '../faults/rule.ts'
import { moment, periodBetween } from '../values/day.ts'
import { timeOfId } from '../values/id.ts'
import { modes } from '../values/mode.ts'
import { text } from '../values/text.ts'
import { type ApiRequestRow, countApiRequests, findApiRequest, listApiRequests } from './api-request.sql.ts'

const EXAMPLE_REQUEST_ID = '01990000-0000-7000-8000-000000000017'

const requestView = z
  .strictObject({
    id: z.uuid().meta({ description: 'Request log entry ID' }),
    request_id: z.string().meta({
      description:
        'The `X-Request-Id` of the response. It is not unique if you send the same ID in several requests',
      example: EXAMPLE_REQUEST_ID,
    }),
    mode: z.enum(modes),
    api_key_id: z.uuid(),
    api_key_name: z.string().nullable().meta({ example: 'web shop' }),
    method: z.string().meta({ example: 'POST' }),
    route: z.string().meta({
      description: 'Request route: the path with parameter names instead of values',
      example: '/v1/payments/{payment_id}/cancel',
    }),
    path: z.string().meta({
      description:
        'Request path without the query string. A path value that is not a UUID is replaced by the name of its parameter',
      example: '/v1/payments/01990000-0000-7000-8000-000000000001/cancel',
    }),
    status: z.int().meta({ description: 'HTTP status of the response', example: 409 }),
    error_code: z.string().nullable().meta({ example: 'INVALID_STATE_TRANSITION' }),
    error_field: z.string().nullable().meta({
      description:
        'Request field or header that caused the error, or null if the error is not about a specific field',
      example: 'amount',
    }),
    idempotency_key: z.string().nullable().meta({ example: 'order-1001' }),
    duration_ms: z.int().meta({
      description: 'Number of milliseconds from the receipt of the request until the response was created',
      example: 12,
    }),
    client_address: z
      .string()
      .nullable()
      .meta({ description: 'IP address from which the request was sent', example: '203.0.113.7' }),
    user_agent: z.string().nullable().meta({ example: 'gapura-sdk/0.1.0 node/26.0.0' }),
    payment_id: z.uuid().nullable().meta({
      description:
        'ID of the payment the request created or was about, or null if the request was not about a payment',
    }),
    payment_code: z.string().nullable(),
    created_at: z.iso.datetime().meta({ description: 'Time of the response' }),
  })
  .meta({
    id: 'ApiRequest',
    description: 'A request log entry: one request sent with an API key',
  })

const statusFilter = z
  .string()
  .regex(/^[1-5](xx|\d\d)$/, rule('format_wrong', { format: 'http_status' }))
  .optional()
  .meta({
    description:
      'Only requests whose response has exactly this HTTP status, such as `404`, or a status in this class, such as `4xx`',
    example: '4xx',
  })

const listInput = longListInput.extend({
  mode: modeFilter('requests'),
  status: statusFilter,
  method: z
    .enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
    .optional()
    .meta({ description: 'Only requests with this HTTP method', example: 'POST' }),
  path: text().optional().meta({
    description: 'Only requests whose path begins with this text, or whose route equals it (case-sensitive)',
    example: '/v1/payments',
  }),
  from: moment.optional().meta({
    description:
      'Only requests at or after this time (inclusive). A date means the start of that day in Asia/Jakarta. A timestamp must be in ISO 8601 format with a time zone',
    example: '2026-11-01',
  }),
  to: moment.optional().meta({
    description:
      'Only requests at or before this time (inclusive). A date means the end of that day in Asia/Jakarta. A timestamp must be in ISO 8601 format with a time zone',
    example: '2026-11-30',
  }),
})

export const requestLogRouter = router({
  list: tenantProcedure({ permission: ['developer', 'support'], scope: 'payments:read' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/requests',
        operationId: 'listRequests',
        tags: ['Requests'],
        summary: 'List requests',
        description:
          'Lists the requests sent with your API keys, newest first by default. Each entry contains the status, error code, duration and payment. Bodies, queries, credentials and signatures are not stored. A request appears about one second after its response. Requests that read this log, and requests without a valid API key, are not listed. If there are many successful reads per second, only some are listed. If few requests match the filter, a page can have fewer items than `limit`, or no items. The list ends when `next_cursor` is null.',
      },
    })
    .input(listInput)
    .output(longListOf(requestView, 'ApiRequestPage'))
    .query(async ({ ctx, input }) => {
      const filter = {
        mode: chosenMode(ctx.caller, input.mode),
        ...statusRange(input.status),
        method: input.method ?? null,
        path: input.path ?? null,
        ...periodBetween(input.from, input.to),
      }
      const { tenantId } = ctx.caller
      const page = await listApiRequests(ctx.app.db, tenantId, filter, startOf(input), input.limit)
      return {
        ...pageFrom(page.rows, page.resumeAfterId, viewRequest, input.order),
        ...(await totalOf(input, () => countApiRequests(ctx.app.db, tenantId, filter))),
      }
    }),

  get: tenantProcedure({ permission: ['developer', 'support'], scope: 'payments:read' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/requests/{request_id}',
        operationId: 'getRequest',
        tags: ['Requests'],
        summary: 'Get a request',
        description:
          'Returns the log entry for a request sent with one of your API keys. `request_id` is the `X-Request-Id` of the response. If several requests have this ID, the latest one is returned. An API key finds only requests in its own mode.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(
      z.object({
        request_id: z
          .string()
          .meta({ description: '`X-Request-Id` of the response', example: EXAMPLE_REQUEST_ID }),
      }),
    )
    .output(requestView)
    .query(async ({ ctx, input: { request_id } }) => {
      const { db } = ctx.app
      const found = REQUEST_ID.test(request_id)
        ? await findApiRequest(db, ctx.caller.tenantId, modeOfCaller(ctx.caller), request_id)
        : undefined
      if (!found) throw fault('api_request_not_found', { id: request_id })
      return viewRequest(found)
    }),
})

const REQUEST_ID = /^[\w.:-]{1,128}$/

/**
 * Returns the range of status codes for a filter such as `404` or `4xx`. If no filter is given, the range includes
 * every code.
 */
function statusRange(status: string | undefined): { statusFrom: number; statusTo: number } {
  if (status === undefined) return { statusFrom: 100, statusTo: 599 }
  return { statusFrom: Number(status.replace('xx', '00')), statusTo: Number(status.replace('xx', '99')) }
}

const viewRequest = (row: ApiRequestRow): z.output<typeof requestView> => ({
  id: row.id,
  request_id: row.requestId,
  mode: row.mode,
  api_key_id: row.apiKeyId,
  api_key_name: row.apiKeyName,
  method: row.method,
  route: row.route,
  path: row.path,
  status: row.status,
  error_code: row.errorCode,
  error_field: row.errorField,
  idempotency_key: row.idempotencyKey,
  duration_ms: row.durationMs,
  client_address: row.clientAddress,
  user_agent: row.userAgent,
  payment_id: row.paymentId,
  payment_code: row.paymentCode,
  created_at: timeOfId(row.id).toISOString(),
})
