import { z } from 'zod'
import { afterId, pageInput, pageOf, partInput, toPage, toPart } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import type { App } from '../app.ts'
import { fault } from '../faults/fault.ts'
import { listedMethodTypes, methodNames } from '../payments/method.ts'
import type { AnyProvider, Channel } from '../providers/provider.ts'
import { toJsonNumber } from '../values/money.ts'
import { noNextCursor } from '../values/no-next-cursor.ts'
import { createProviderAccount } from './create-provider-account.ts'
import { credentialsSchema } from './credentials.ts'
import { listProviderAccounts } from './provider-account.sql.ts'
import { createProviderAccountInput, updateProviderAccountInput } from './provider-account-input.ts'
import { providerAccountView, viewProviderAccount } from './provider-account-view.ts'
import { listKnownAccounts } from './provider-health.sql.ts'
import { providerHealthView, viewProviderHealth } from './provider-health-view.ts'
import { updateProviderAccount } from './update-provider-account.ts'

const limitsView = z.strictObject({
  whole_rupiah: z.boolean().meta({ description: 'If true, amounts must be multiples of 100 cents' }),
  min_amount: z.int().nullable().meta({ description: 'Minimum amount in cents, or null if not known' }),
  max_amount: z.int().nullable(),
  min_expiry_minutes: z.int(),
  max_expiry_minutes: z.int(),
})

const providerView = z
  .strictObject({
    code: z.string().meta({ example: 'midtrans' }),
    name: z.string().meta({ example: 'Midtrans' }),
    methods: z.array(
      z.strictObject({
        type: z.enum(listedMethodTypes),
        name: z.string().meta({ example: 'Virtual Account' }),
        channels: z.array(
          z.strictObject({
            code: z.string().meta({ example: 'bca' }),
            name: z.string().meta({ example: 'BCA' }),
            limits: limitsView,
          }),
        ),
      }),
    ),
    credentials: z
      .strictObject({
        type: z.literal('object'),
        properties: z.record(z.string(), z.strictObject({})),
        required: z.array(z.string()),
      })
      .meta({
        description: "JSON schema for a provider account's credentials. It defines only the field names",
      }),
    callback_proof: z.enum(['signature', 'static_token']).meta({
      description:
        'How the provider authenticates its callbacks. `static_token`: every callback contains the same token. For such a provider, restrict `callback_sources` for all accounts',
    }),
  })
  .meta({
    id: 'Provider',
    description: 'A payment provider, with what it offers and the credentials its accounts need',
  })

/**
 * The path parameters that identify a provider account. Their format is not validated. An invalid code or ID
 * belongs to no account, and the response is therefore 404.
 */
const providerPath = z.object({
  provider_code: z.string().meta({ description: 'Provider code', example: 'midtrans' }),
})
const accountPath = providerPath.extend({
  account_id: z
    .string()
    .meta({ description: 'Provider account UUID', example: '01990000-0000-7000-8000-000000000014' }),
})

export const providerAccountRouter = router({
  providers: userProcedure({ permission: 'viewer', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/providers',
        operationId: 'listProviders',
        tags: ['Providers'],
        summary: 'List providers',
        description:
          "Lists the payment providers supported by this version of the service. Each item has the provider's payment methods, channels and limits, and the names of the credentials an account needs.",
      },
    })
    .input(partInput)
    .output(pageOf(providerView, 'ProviderList'))
    .query(({ ctx, input }) =>
      toPart([...ctx.app.providers.values()], input, provider => provider.code, viewProvider),
    ),

  health: userProcedure({ permission: 'viewer', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/provider-health',
        operationId: 'listProviderHealth',
        tags: ['Providers'],
        summary: 'Get the health of provider accounts',
        description:
          'Lists all provider accounts, newest first, with statistics on the charges of the last minute and the state of the circuit breaker. The data comes only from the server process that handles the request; each process keeps its own statistics.',
      },
    })
    .input(z.object({}))
    .output(
      z.strictObject({ items: z.array(providerHealthView), next_cursor: noNextCursor }).meta({
        id: 'ProviderHealthList',
        description: 'The health of all provider accounts',
      }),
    )
    .query(async ({ ctx }) => {
      const healths = new Map(ctx.app.health.all().map(each => [each.accountId, each]))
      const accounts = await listKnownAccounts(ctx.app.db)
      return {
        items: accounts.map(account => viewProviderHealth(account, healths.get(account.id))),
        next_cursor: null,
      }
    }),

  list: userProcedure({ permission: 'viewer', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/providers/{provider_code}/accounts',
        operationId: 'listProviderAccounts',
        tags: ['Providers'],
        summary: "List a provider's accounts",
        description: "Lists a provider's accounts, newest first. Credentials are never returned.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(providerPath.extend(pageInput.shape))
    .output(pageOf(providerAccountView, 'ProviderAccountPage'))
    .query(async ({ ctx, input }) => {
      const { code } = getProvider(ctx.app, input.provider_code)
      const rows = await listProviderAccounts(ctx.app.db, code, afterId(input), input.limit + 1)
      const now = ctx.app.clock()
      return toPage(rows, input, account => viewProviderAccount(account, now))
    }),

  create: userProcedure({ permission: 'admin', roles: ['owner'], stepUp: true })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/providers/{provider_code}/accounts',
        operationId: 'createProviderAccount',
        tags: ['Providers'],
        summary: 'Create a provider account',
        description:
          "Adds one of the operator's accounts at a provider. An account is for one contract and one mode. To let a tenant use the account, grant it to the tenant as an entitlement. At the provider, configure the callback URL `/v1/callbacks/{provider_code}/{account_id}`. If you receive no response, retry with the same `X-Idempotency-Key` within 24 hours. You then get the first response, and no second account is created. Without the header, a retry creates another account.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(providerPath.extend(createProviderAccountInput.shape))
    .output(providerAccountView)
    .mutation(async ({ ctx, input: { provider_code, ...input } }) => {
      const { base_url, callback_sources, inquire_above, ...wanted } = input
      const provider = getProvider(ctx.app, provider_code)
      const account = await createProviderAccount(ctx.app, ctx.caller, provider, {
        ...wanted,
        baseUrl: base_url,
        callbackSources: callback_sources,
        inquireAbove: inquire_above === null ? null : BigInt(inquire_above),
      })
      return viewProviderAccount(account, ctx.app.clock())
    }),

  update: userProcedure({ permission: 'admin', roles: ['owner'], stepUp: true })
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/v1/providers/{provider_code}/accounts/{account_id}',
        operationId: 'updateProviderAccount',
        tags: ['Providers'],
        summary: 'Change a provider account',
        description:
          'Changes the given fields of a provider account; omitted fields keep their value. `credentials` replaces all credentials. The replaced credentials still verify callbacks for `previous_credentials_hours` hours. After at most one second, a disabled account receives no new payments, but its existing payments can still be paid. The request is safe to retry.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(accountPath.extend(updateProviderAccountInput.shape))
    .output(providerAccountView)
    .mutation(async ({ ctx, input: { provider_code, account_id, ...input } }) => {
      const provider = getProvider(ctx.app, provider_code)
      const account = await updateProviderAccount(ctx.app, ctx.caller, provider, account_id, {
        name: input.name,
        baseUrl: input.base_url,
        enabled: input.enabled,
        credentials: input.credentials,
        previousCredentialsHours: input.previous_credentials_hours,
        callbackSources: input.callback_sources,
        inquireAbove:
          typeof input.inquire_above === 'number' ? BigInt(input.inquire_above) : input.inquire_above,
      })
      return viewProviderAccount(account, ctx.app.clock())
    }),
})

function getProvider(app: App, code: string): AnyProvider {
  const provider = app.providers.get(code)
  if (!provider) throw fault('provider_not_found', { code })
  return provider
}

const viewProvider = (provider: AnyProvider): z.output<typeof providerView> => ({
  code: provider.code,
  name: provider.name,
  methods: provider.methods.map(({ type, channels }) => ({
    type,
    name: methodNames[type],
    channels: channels.map(({ code, name, limits }) => ({ code, name, limits: viewLimits(limits) })),
  })),
  credentials: credentialsSchema(provider),
  callback_proof: provider.callbackProof ?? 'signature',
})

const viewLimits = (limits: Channel['limits']): z.output<typeof limitsView> => ({
  whole_rupiah: limits.wholeRupiah,
  min_amount: limits.minAmount === undefined ? null : toJsonNumber(limits.minAmount),
  max_amount: limits.maxAmount === undefined ? null : toJsonNumber(limits.maxAmount),
  min_expiry_minutes: limits.minExpiryMinutes,
  max_expiry_minutes: limits.maxExpiryMinutes,
})
