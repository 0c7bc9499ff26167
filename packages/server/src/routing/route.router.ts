import { z } from 'zod'
import { modeOfCaller } from '../api/context.ts'
import { router, tenantProcedure } from '../api/trpc.ts'
import { listedMethodTypes, methodNames } from '../payments/method.ts'
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
              description: 'The value for `method_type`. `cardless_credit` payments cannot be created yet',
            }),
            name: z.string().meta({ example: 'Virtual Account' }),
            channels: z.array(
              z.strictObject({
                code: z
                  .string()
                  .meta({ description: 'The value for `bank`, `wallet_type` or `store`', example: 'bca' }),
                name: z.string().meta({ example: 'BCA' }),
              }),
            ),
          }),
        ),
      }),
    ),
  })
  .meta({
    id: 'ActiveMethods',
    description: 'The providers, methods and channels that the credential can use',
  })

export const routeRouter = router({
  activeMethods: tenantProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/active-methods',
        operationId: 'listActiveMethods',
        tags: ['Payments'],
        summary: 'List active payment methods',
        description:
          'Lists the providers, methods and channels that you can use, based on your entitlements and routing rules. Use `methods[].type` as `method_type`, and `channels[].code` as `bank`, `wallet_type` or `store` in `method_detail`. The list rarely changes: you can cache it for an hour.',
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
              channels: channels.map(({ code, name }) => ({ code, name })),
            })),
          }),
        ),
      }
    }),
})
