import { z } from 'zod'
import { modeOf } from '../api/context.ts'
import { router, tenantProcedure } from '../api/trpc.ts'
import { GatewayError } from '../errors.ts'
import { queryInteger } from '../query-integer.ts'
import { listenForEvents } from './listen.ts'

const heardView = z
  .strictObject({
    events: z.array(
      z.strictObject({
        id: z.uuid(),
        headers: z
          .record(z.string(), z.string())
          .meta({ description: 'As a delivery carries them, signatures included' }),
        body: z.string().meta({
          description: 'The signed bytes, to be passed on as they are',
          contentMediaType: 'application/json',
          contentSchema: { $ref: '#/components/schemas/WebhookEvent' },
        }),
      }),
    ),
    cursor: z.string().meta({ description: 'Send it as `cursor` to hear what comes next' }),
  })
  .meta({ id: 'HeardEvents' })

const position = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const listenRouter = router({
  events: tenantProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/webhook/events',
        operationId: 'listenForWebhooks',
        tags: ['Webhooks'],
        summary: 'Listen for test-mode webhooks',
        description:
          'Answers as soon as there are test-mode events after `cursor`, or empty after `wait_seconds`; ask again with the cursor of the answer. For development on a machine without a public address: each event comes as it would be delivered, signed by your secret. Deliveries to the callback URL go on beside it.',
      },
    })
    .input(
      z.object({
        cursor: z.string().max(200).optional().meta({
          description: '`cursor` of the previous answer, unchanged; only events from now on without it',
        }),
        wait_seconds: queryInteger(0, 25)
          .default(20)
          .meta({ description: 'Seconds to wait for an event, 0 to 25', example: 20 }),
      }),
    )
    .output(heardView)
    .query(async ({ ctx, input }) => {
      if (modeOf(ctx.caller) === 'live')
        throw new GatewayError('FORBIDDEN', 'a live key cannot listen; use a test key')
      const after = input.cursor && Buffer.from(input.cursor, 'base64url').toString('latin1')
      if (after !== undefined && !position.test(after)) {
        throw new GatewayError('BAD_REQUEST', 'cursor: is none; send the one of the answer before as it came')
      }
      const reader = { owner: ctx.caller.tenantId, whenTaken: ctx.whenTaken }
      const heard = await listenForEvents(ctx.app, reader, after, input.wait_seconds * 1_000)
      return { events: heard.events, cursor: Buffer.from(heard.afterId, 'latin1').toString('base64url') }
    }),
})
