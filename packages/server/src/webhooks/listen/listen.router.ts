import { z } from 'zod'
import { modeOfCaller } from '../../api/context.ts'
import { admitted, router, tenantProcedure } from '../../api/trpc.ts'
import { fault } from '../../faults/fault.ts'
import { queryInteger } from '../../values/query-integer.ts'
import { listenForEvents } from './listen.ts'

const listenView = z
  .strictObject({
    events: z.array(
      z.strictObject({
        id: z.uuid(),
        headers: z
          .record(z.string(), z.string())
          .meta({ description: 'The headers sent with the webhook, including the signatures' }),
        body: z.string().meta({
          description:
            "The webhook's signed body. Forward the body unchanged, so that the signature stays valid",
          contentMediaType: 'application/json',
          contentSchema: { $ref: '#/components/schemas/WebhookEvent' },
        }),
      }),
    ),
    cursor: z.string().meta({
      description:
        'Position in the event stream. Pass this value as `cursor` in the next request to get the events that follow',
    }),
  })
  .meta({
    id: 'HeardEvents',
    description:
      "The test-mode events after the request's `cursor`. Each event has the headers and body of its webhook delivery",
  })

const eventIdPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const access = { permission: 'developer', scope: 'payments:read' } as const

export const listenRouter = router({
  events: tenantProcedure(access)
    .meta({
      testModeOnly: true,
      openapi: {
        method: 'GET',
        path: '/v1/account/webhook/events',
        operationId: 'listenForWebhooks',
        tags: ['Webhooks'],
        summary: 'Listen for test-mode webhooks',
        description:
          'Waits for test-mode events that occur after `cursor` (long polling). The response is sent as soon as there are events, or with an empty list after `wait_seconds`. Pass the returned `cursor` in the next request. Use this operation to develop on a machine without a public address. Each event has the signed headers and the body of its webhook delivery. The service continues to deliver events to the callback URL.',
      },
    })
    .input(
      z.object({
        cursor: z.string().max(200).optional().meta({
          description:
            'The `cursor` of the previous response, unchanged. If omitted, only events from now on are returned',
        }),
        wait_seconds: queryInteger(0, 25)
          .default(20)
          .meta({ description: 'Maximum number of seconds to wait for an event, 0 to 25', example: 20 }),
      }),
    )
    .output(listenView)
    .query(async ({ ctx, input }) => {
      if (modeOfCaller(ctx.caller) === 'live') throw fault('live_key_cannot_listen')
      const after = input.cursor && Buffer.from(input.cursor, 'base64url').toString('latin1')
      if (after !== undefined && !eventIdPattern.test(after)) {
        throw fault('listen_cursor_invalid', {}, { field: 'cursor' })
      }
      const reader = { owner: ctx.caller.tenantId, onReceived: ctx.onReceived }
      const wait = { waitMs: input.wait_seconds * 1_000, stopping: ctx.stopping }
      const found = await listenForEvents(ctx.app, reader, after, wait)
      // A caller who lost access while the request waited for events must not receive the events.
      admitted({ access: 'tenant', ...access }, { caller: await ctx.identifyAgain() })
      return { events: found.events, cursor: Buffer.from(found.afterId, 'latin1').toString('base64url') }
    }),
})
