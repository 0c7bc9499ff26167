// The callers in a fuzzing run. Each belongs to a different tenant, so that no caller can revoke another's
// credential.

import { randomUUID } from 'node:crypto'
import type { Demo } from '../../packages/server/src/demo/demo.ts'
import { tiers } from '../../packages/server/src/tenants/tenant.ts'
import type { Mode } from '../../packages/server/src/values/mode.ts'
import { anOrder } from '../../packages/server/test/support/order.ts'

export type Caller = {
  /** The Authorization header, or undefined to send no credential. */
  authorization: string | undefined
  /**
   * Sends a request with the caller's credential and returns the status of the response. The status is 200 as long as
   * the credential is valid.
   */
  check(): Promise<number>
}

/**
 * The callers that send random requests, by the name of their credential. The Owner (the service's operator) comes
 * last, because its requests can suspend all other tenants.
 */
export const callers: Record<string, (demo: Demo) => Promise<Caller>> = {
  'no credential': async () => ({ authorization: undefined, check: async () => 200 }),
  'test API key': demo => keyOf(demo, 'test'),
  'live API key': demo => keyOf(demo, 'live'),
  'Client access token': demo => userOf(demo, 'client'),
  'Partner access token': demo => userOf(demo, 'partner'),
  // This caller is the Owner from the demonstration data, because no API operation can create an Owner.
  'Owner access token': demo => tokenOf(demo, demo.owner),
}

/**
 * Raises every rate limit to its maximum. Fuzzing sends requests as fast as it can, and a 429 response would
 * test nothing.
 */
export async function raiseLimits(demo: Demo): Promise<void> {
  const authorization = await logIn(demo, demo.owner)
  const limits = { requests_per_second: 10_000, burst_seconds: 10, requests_in_flight: 512 }
  for (const tier of tiers) await call(demo, 'PATCH', `/v1/limits/${tier}`, { authorization, body: limits })
}

async function keyOf(demo: Demo, mode: Mode): Promise<Caller> {
  const key = await newKey(demo, await newTenant(demo, 'client', mode), mode)
  await sell(demo, key)
  const authorization = `ApiKey ${key}`
  return { authorization, check: () => statusOf(demo, '/v1/payments', authorization) }
}

async function userOf(demo: Demo, role: 'client' | 'partner'): Promise<Caller> {
  const tenantId = await newTenant(demo, role, 'test')
  if (role === 'client') await sell(demo, await newKey(demo, tenantId, 'test'))
  const user = { email: `${randomUUID()}@example.com`, password: randomUUID() }
  await asOwner(demo, 'POST', `/v1/tenants/${tenantId}/users`, user)
  return tokenOf(demo, user)
}

async function tokenOf(demo: Demo, user: User): Promise<Caller> {
  const authorization = await logIn(demo, user)
  return { authorization, check: () => statusOf(demo, '/v1/account', authorization) }
}

async function newTenant(demo: Demo, role: 'client' | 'partner', mode: Mode): Promise<string> {
  const tenant = { name: `Fuzzed ${role}`, role, tier: 'enterprise' }
  const { id } = await asOwner<{ id: string }>(demo, 'POST', '/v1/tenants', tenant)
  await asOwner(demo, 'PUT', `/v1/tenants/${id}/entitlements`, {
    items: demo.provider_accounts
      .filter(account => account.mode === mode)
      .map((account, priority) => ({ provider_account_id: account.id, priority })),
  })
  return id
}

const newKey = async (demo: Demo, tenantId: string, mode: Mode): Promise<string> =>
  (await asOwner<{ key: string }>(demo, 'POST', `/v1/tenants/${tenantId}/api-keys`, { mode })).key

/** Creates payments in several states, so that lists are not empty. */
async function sell(demo: Demo, key: string): Promise<void> {
  const create = (extra: object = {}) =>
    call<{ payment_code: string }>(demo, 'POST', '/v1/payments/create', {
      authorization: `ApiKey ${key}`,
      headers: { 'x-idempotency-key': randomUUID() },
      body: anOrder(extra),
    })
  const simulate = async (outcome: string, extra: object = {}) => {
    const { payment_code } = await create()
    const body = JSON.stringify({ payment_code, outcome, ...extra })
    await send(`${demo.sandbox_url}/simulate`, 'POST', { 'content-type': 'application/json' }, body)
  }
  await create()
  await simulate('paid')
  await simulate('paid', { amount: 12_000_000 })
  await simulate('challenged')
}

type User = { email: string; password: string }

async function logIn(demo: Demo, { email, password }: User): Promise<string> {
  const body = { email, password }
  const { access_token } = await call<{ access_token: string }>(demo, 'POST', '/v1/auth/login', { body })
  return `Bearer ${access_token}`
}

/**
 * Sends a request as the Owner (the service's operator). Logs in for each request, because fuzzing can outlast a
 * token's validity.
 */
const asOwner = async <T>(demo: Demo, method: string, path: string, body: object): Promise<T> =>
  call(demo, method, path, { authorization: await logIn(demo, demo.owner), body })

type Sent = { authorization?: string; headers?: Record<string, string>; body: object }

async function call<T>(
  demo: Demo,
  method: string,
  path: string,
  { authorization, headers, body }: Sent,
): Promise<T> {
  const all = { 'content-type': 'application/json', ...headers, ...(authorization && { authorization }) }
  return JSON.parse(await send(demo.base_url + path, method, all, JSON.stringify(body))).data as T
}

async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string,
): Promise<string> {
  const response = await fetch(url, { method, headers, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} returned ${response.status}: ${text}`)
  return text
}

async function statusOf(demo: Demo, path: string, authorization: string): Promise<number> {
  const response = await fetch(demo.base_url + path, { headers: { authorization } })
  await response.body?.cancel()
  return response.status
}
