// Starts everything an attack needs: one process of the service with its own PostgreSQL and provider sandbox, five
// well-behaved merchants, and an attacking tenant.

import { randomUUID } from 'node:crypto'
import type { Demo } from '../packages/server/src/demo/demo.ts'
import { anOrder } from '../packages/server/test/support/order.ts'
import { newPlace, removePlace, type Service, startService } from '../packages/server/test/support/service.ts'

/** The data an attack needs, such as URLs and API keys. The main process sends this data to the attacker's process. */
export type Target = {
  /** The strength of the attack. It multiplies the request rate and the number of connections. */
  scale: number
  url: string
  sandboxUrl: string
  /** The API keys of the attacking tenant. */
  keys: string[]
  /** The API key of a tenant whose responses are large. The tenant has a hundred payments of about 50 KB each. */
  largeKey: string
  /** The callback path of a provider account that no merchant uses. */
  callbackPath: string
  /** The callback paths of all provider accounts. */
  callbackPaths: string[]
}

export type World = { target: Target; merchantKeys: string[]; stop(): Promise<void> }

const MERCHANTS = 5
const KEYS_OF_ATTACKER = 8
const LARGE_PAYMENTS = 100

export async function startWorld({ scale = 1 } = {}): Promise<World> {
  const place = await newPlace()
  const service = await startService(place)
  const { demo } = service
  const owner = await logIn(demo)
  const accounts = demo.provider_accounts.filter(({ mode }) => mode === 'test')
  const [used, spare] = [accounts[0], accounts[1]]
  if (!used || !spare)
    throw new Error('the demonstration data must contain at least two provider accounts in test mode')
  const merchantKeys: string[] = []
  for (let n = 0; n < MERCHANTS; n++)
    merchantKeys.push(
      ...(await makeTenant(demo, owner, { name: `Shop ${n + 1}`, accounts: [used.id], keys: 1 })),
    )
  const keys = await makeTenant(demo, owner, {
    name: 'Attacker',
    accounts: accounts.map(({ id }) => id),
    keys: KEYS_OF_ATTACKER,
  })
  const [largeKey = ''] = await makeTenant(demo, owner, { name: 'Large', accounts: [used.id], keys: 1 })
  await makeLargePayments(demo, largeKey)
  const pathOf = ({ provider, id }: { provider: string; id: string }) => `/v1/callbacks/${provider}/${id}`
  return {
    target: {
      scale,
      url: demo.base_url,
      sandboxUrl: demo.sandbox_url,
      keys,
      largeKey,
      callbackPath: pathOf(spare),
      callbackPaths: demo.provider_accounts.map(pathOf),
    },
    merchantKeys,
    stop: () => stop(service, place),
  }
}

async function stop(service: Service, place: Awaited<ReturnType<typeof newPlace>>): Promise<void> {
  await service.stop()
  await removePlace(place)
}

async function logIn({ base_url, owner }: Demo): Promise<string> {
  const { access_token } = await call<{ access_token: string }>(base_url, 'POST', '/v1/auth/login', {
    email: owner.email,
    password: owner.password,
  })
  return `Bearer ${access_token}`
}

/** Creates a tenant and returns its API keys. */
async function makeTenant(
  { base_url }: Demo,
  owner: string,
  { name, accounts, keys }: { name: string; accounts: string[]; keys: number },
): Promise<string[]> {
  const send = <T>(method: string, path: string, body: object) => call<T>(base_url, method, path, body, owner)
  const { id } = await send<{ id: string }>('POST', '/v1/tenants', {
    name: `${name} ${randomUUID()}`,
    role: 'client',
    tier: 'enterprise',
  })
  await send('PUT', `/v1/tenants/${id}/entitlements`, {
    items: accounts.map((provider_account_id, priority) => ({ provider_account_id, priority })),
  })
  const made: string[] = []
  for (let n = 0; n < keys; n++)
    made.push((await send<{ key: string }>('POST', `/v1/tenants/${id}/api-keys`, { mode: 'test' })).key)
  return made
}

/** Creates payments with a hundred items each. The item names have the maximum length. */
async function makeLargePayments({ base_url }: Demo, key: string): Promise<void> {
  const items = Array.from({ length: 100 }, (_, n) => ({
    id: `${n}-${'x'.repeat(200)}`,
    name: 'x'.repeat(255),
    price: 100_000,
    quantity: 1,
  }))
  const body = anOrder({ items })
  for (let n = 0; n < LARGE_PAYMENTS; n++)
    await call(base_url, 'POST', '/v1/payments/create', body, `ApiKey ${key}`)
}

async function call<T>(url: string, method: string, path: string, body: object, auth?: string): Promise<T> {
  const response = await fetch(url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-idempotency-key': randomUUID(),
      ...(auth && { authorization: auth }),
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`)
  return JSON.parse(text).data as T
}
