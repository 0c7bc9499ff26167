import { z } from 'zod'
import { modeOfCaller } from '../api/context.ts'
import { router, tenantProcedure, userProcedure } from '../api/trpc.ts'
import { listedMethodTypes, methodNames, methodTypes } from '../payments/method.ts'
import { modes } from '../values/mode.ts'
import { channelTerms } from './channel-terms.ts'
import { channelTermsView, viewChannelTerms } from './channel-terms-view.ts'
import { activeMethods } from './route.ts'

const activeMethodsView = z
  .strictObject({
    providers: z.array(
      z.strictObject({
        code: z.string().meta({ example: 'midtrans' }),
        name: z.string().meta({ example: 'Midtrans' }),
        methods: z.array(
          z.strictObject({
            type: z.enum(listedMethodTypes).meta({
              description:
                'The payment method, to send as `method_type` when you create a payment. `cardless_credit` payments cannot be created yet',
            }),
            name: z.string().meta({ example: 'Virtual Account' }),
            channels: z.array(
              z.strictObject({
                code: z.string().meta({
                  description:
                    'Channel code, to send in `method_detail` as `bank`, `wallet_type` or `store` when you create a payment',
                  example: 'bca',
                }),
                name: z.string().meta({ description: 'Channel name, in upper case', example: 'BCA' }),
              }),
            ),
          }),
        ),
      }),
    ),
  })
  .meta({
    id: 'ActiveMethods',
    description:
      'The providers, methods and channels with which the tenant that owns the credential can create payments',
  })

export const routeRouter = router({
  activeMethods: tenantProcedure({ permission: 'viewer', scope: 'payments:read' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/active-methods',
        operationId: 'listActiveMethods',
        tags: ['Payments'],
        summary: 'List active payment methods',
        description:
          'Lists the providers, methods and channels that you can use. The list depends on the provider accounts that you may use and on your routing rules. To create a payment, send `methods[].type` as `method_type`, and `channels[].code` as `bank`, `wallet_type` or `store` in `method_detail`. The list rarely changes: you can cache it for an hour.',
      },
    })
    .input(z.object({}))
    .output(activeMethodsView)
    .query(async ({ ctx }) => {
      const routes = await ctx.app.routesOf(ctx.caller.tenantId)
      return {
        providers: activeMethods(ctx.app.providers, routes, modeOfCaller(ctx.caller)).map(
          ({ provider, methods }) => ({
            code: provider.code,
            name: provider.name,
            methods: methods.map(({ type, channels }) => ({
              type,
              name: methodNames[type],
              channels: channels.map(({ code, name }) => ({ code, name: name.toUpperCase() })),
            })),
          }),
        ),
      }
    }),

  // Lists the channels in one mode with their limits, for the dashboard. The REST operation `GET /v1/active-methods`
  // cannot do this, because its specification has neither a mode nor limits.
  channels: userProcedure({ permission: 'viewer', roles: ['client'] })
    .input(z.object({ mode: z.enum(modes) }))
    .output(
      z.strictObject({
        methods: z.array(z.strictObject({ type: z.enum(methodTypes), channels: z.array(channelTermsView) })),
      }),
    )
    .query(async ({ ctx, input }) => {
      const routes = await ctx.app.routesOf(ctx.caller.tenantId)
      const health = new Map(ctx.app.health.all().map(({ accountId, circuit }) => [accountId, circuit]))
      const isUnavailable = (accountId: string) => (health.get(accountId) ?? 'closed') !== 'closed'
      const methods = channelTerms(ctx.app.providers, routes, input.mode, isUnavailable)
      return {
        methods: methods.map(({ type, channels }) => ({ type, channels: channels.map(viewChannelTerms) })),
      }
    }),
})
