// Fills the service with data for a fuzz run: two merchants, their payments in many states, and the resulting
// callbacks, webhook events, and records. Also creates spare tenants, API keys, users, and provider accounts that
// the run can change.

import { createApiKey } from '../../src/auth/api-keys/create-api-key.ts'
import { createUser } from '../../src/auth/users/create-user.ts'
import { insertUnexpectedMoney } from '../../src/payments/record/unexpected-money.sql.ts'
import { newRecord } from '../../src/payments/record/unexpected-money.ts'
import { createProviderAccount } from '../../src/provider-accounts/create-provider-account.ts'
import type { AnyProvider } from '../../src/providers/provider.ts'
import { createTenant } from '../../src/tenants/create-tenant.ts'
import { newId } from '../../src/values/id.ts'
import type { TestApp } from '../support/app.ts'
import { stateNow } from '../support/ledger.ts'
import { mailsTo, resetTokenIn } from '../support/mail.ts'
import { http, merchantOf, simulate, until } from '../support/merchant.ts'
import { type Credential, falseCredentials, tokenOf, type User } from './credentials.ts'
import { PASSWORD } from './words.ts'
import { learnFrom, World } from './world.ts'

export async function seedWorld(service: TestApp): Promise<World> {
  const world = new World(service)
  const { app, demo } = service
  const roles = { owner: 'owner', partner: 'partner', client: 'client', client2: 'client' } as const
  const { rows: users } = await app.db.raw('select id, tenant_id from users')
  const userOf = (name: keyof typeof roles): User => ({
    tenantId: demo[name].tenant_id,
    role: roles[name],
    userId: users.find((each: { tenant_id: string }) => each.tenant_id === demo[name].tenant_id).id,
  })
  for (const name of Object.keys(roles) as (keyof typeof roles)[]) {
    const user = userOf(name)
    world.actors.add(user.tenantId)
    world.learn('tenant', user.tenantId, user.tenantId)
    world.credentials.push({
      name,
      header: await tokenOf(app, user),
      who: { kind: 'jwt', ...user },
    })
  }
  world.learn('partner', demo.partner.tenant_id, demo.owner.tenant_id)
  for (const merchant of ['client', 'client2'] as const)
    for (const mode of ['test', 'live'] as const) {
      const header = `ApiKey ${demo[merchant][`${mode}_key`]}`
      const { tenantId } = userOf(merchant)
      const key: Credential = {
        name: `${mode} key of ${merchant}`,
        header,
        who: { kind: 'key', tenantId, role: 'client', mode },
      }
      world.credentials.push(key)
      await makePayments(world, key, demo[merchant][`${mode}_key`])
    }
  // In each mode, creates ledger statements until the latest statement covers the Client's balance.
  for (const mode of ['live', 'test'] as const) await stateNow(app, demo.client.tenant_id, mode)
  world.credentials.push(...(await falseCredentials(app, userOf('owner'), demo.client.live_key)))
  // Postpones the next status inquiry for payments with an unknown outcome. Otherwise, the periodic job would
  // resolve these payments before the fuzz run uses them.
  await app.db.raw(`update payments set next_check_at = now() + interval '1 day' where status = 'unknown'`)
  for (const parentId of [null, demo.partner.tenant_id]) await makeSpareTenant(world, parentId)
  await makeAccounts(world)
  await learnLists(world)
  return world
}

async function makePayments(world: World, caller: Credential, key: string): Promise<void> {
  const { demo } = world.service
  const shop = merchantOf(demo, key)
  const made = async (extra: object = {}) => {
    const { data } = await shop.create(extra)
    learnFrom(world, 'createPayment', caller, {}, data)
    return data as { id: string; payment_code: string }
  }
  const [paid, over, under, failed] = [await made(), await made(), await made(), await made()]
  await made({ method_type: 'qris', method_detail: { type: 'qris' } })
  await simulate(demo, paid, 'paid')
  await simulate(demo, over, 'paid', { amount: 12_000_000 })
  await simulate(demo, under, 'challenged')
  world.learn('challenged_payment', under.id, caller.who?.tenantId)
  await simulate(demo, failed, 'failed')
  await shop.cancel((await made()).id)
  for (const _ of [1, 2, 3]) await shop.create({ customer_name: 'SANDBOX NOT JSON' })
  await until('the payment is paid', async () => (await shop.get(paid.id)).data.status === 'paid')
}

async function makeSpareTenant(world: World, parentId: string | null): Promise<void> {
  const { app, demo, dataDir } = world.service
  const { id } = await createTenant(app, null, { name: 'Spare', role: 'client', tier: 'growth', parentId })
  world.spareTenants.push(id)
  world.learn('tenant', id, parentId ?? id)
  const user = { email: `${newId()}@example.com`, password: PASSWORD }
  await createUser(app, null, id, user)
  world.learn('email', user.email, id)
  for (const mode of ['test', 'live'] as const)
    world.learn('key', (await createApiKey(app, null, id, { name: 'spare', mode })).id, id)
  const ask = (path: string, body: object) => http('POST', `${demo.base_url}/v1/auth/${path}`, { body })
  const { data } = await ask('login', user)
  world.learn('refresh_token', data.refresh_token, id)
  await ask('password-reset/request', { tenant_id: id, email: user.email })
  const mail = await until('the mail arrives', async () => (await mailsTo(dataDir, user.email))[0])
  world.learn('reset_token', resetTokenIn(mail), id)
}

async function makeAccounts(world: World): Promise<void> {
  const { app, demo } = world.service
  const owner = demo.owner.tenant_id
  world.learn('sandbox', demo.sandbox_url, owner)
  for (const account of demo.provider_accounts) {
    const credentials = { ...account.ours, ...account.issued }
    world.accounts.set(account.id, account.provider)
    world.learn('account', account.id, owner)
    world.credentialsOf.set(credentials, account.provider)
    world.learn('credentials', credentials, owner)
    if (account.mode === 'live') continue
    const provider = app.providers.get(account.provider) as AnyProvider
    const spare = {
      mode: 'test',
      name: 'Spare',
      credentials,
      baseUrl: demo.sandbox_url,
      enabled: true,
      callbackSources: [],
      inquireAbove: null,
    } satisfies Parameters<typeof createProviderAccount>[3]
    world.spareAccounts.set((await createProviderAccount(app, null, provider, spare)).id, account.provider)
  }
  for (const amount of [100n, 5_000_000n, 10_000_000n, 10_000_000n]) {
    const id = newId()
    const account = demo.provider_accounts.find(({ mode }) => mode === 'test')
    const at = new Date()
    const arrived = { kind: 'unknown_reference', provider: 'midtrans', mode: 'test', receipt: '' } as const
    const nobodys = { tenantId: null, paymentId: null, expectedAmount: null, credited: false } as const
    const what = { id, reference: `INV-${id}`, amount, providerAccountId: account?.id ?? '' }
    await insertUnexpectedMoney(app.db, [newRecord({ ...arrived, ...nobodys, ...what, paidAt: at }, at)])
    world.learn('nobodys_money', id, owner)
  }
}

/**
 * Collects the ids of objects that the service itself created: webhook events, callbacks, unexpected money, and
 * payments with an unknown outcome.
 */
async function learnLists(world: World): Promise<void> {
  const { demo } = world.service
  const lists = {
    listWebhookDeliveries: ['/v1/webhook-deliveries', 'client', 'client2'],
    listUnexpectedMoney: ['/v1/unexpected-money', 'owner'],
    listProviderCallbacks: ['/v1/provider-callbacks', 'owner'],
    listUnknownPayments: ['/v1/unknown-payments', 'owner'],
  }
  for (const [operationId, [path, ...names]] of Object.entries(lists))
    for (const caller of world.credentials.filter(({ name }) => names.includes(name))) {
      const { data } = await http('GET', `${demo.base_url}${path}?mode=all&limit=10`, {
        auth: caller.header ?? '',
      })
      learnFrom(world, operationId, caller, {}, data)
    }
}
