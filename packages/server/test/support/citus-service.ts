// Serves the API on a Citus cluster (citus-cluster.ts) for tests. The test defines the provider's responses.
// Payments are paid by callback.

import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from '../../src/app.ts'
import { newApiKey } from '../../src/auth/api-keys/api-key.ts'
import { compose } from '../../src/compose.ts'
import { midtrans } from '../../src/providers/midtrans/midtrans.ts'
import type { AnyProvider, Charge } from '../../src/providers/provider.ts'
import { newId } from '../../src/values/id.ts'
import { alwaysHealthy } from './always-healthy.ts'
import { type CitusDatabase, runOn } from './citus-cluster.ts'
import { appConfig, serve } from './compose-app.ts'
import { noCallbackRules } from './make.ts'
import { settlementCallback } from './midtrans.ts'
import { anOrder } from './order.ts'

const methodData = { type: 'virtual_account', bank: 'BCA', va_number: '812785002530231' } as const

/**
 * Serves the API with one provider account until `stop` is called. The provider is simulated, and a status inquiry
 * finds each charge that it received. The parameter `overrides` replaces parts of the service, such as its connection
 * pool.
 */
export async function citusService(cluster: CitusDatabase, overrides: Partial<App>) {
  const accountId = newId()
  const charged: string[] = []
  const state = { aheadMs: 0, afterCharge: async () => {} }
  const provider = {
    ...midtrans,
    async charge(_: unknown, { reference }: Charge) {
      charged.push(reference)
      await state.afterCharge()
      return { providerPaymentId: `p-${reference}`, methodData }
    },
    inquire: async (_: unknown, { reference }: { reference: string }) =>
      charged.includes(reference)
        ? { reference, providerPaymentId: `p-${reference}`, fact: { type: 'pending', methodData } }
        : 'absent',
  } as unknown as AnyProvider
  const dataDir = await mkdtemp(join(tmpdir(), 'gapura-citus-'))
  const { app, forJobs, close } = await compose(
    {
      ...appConfig,
      databaseUrl: cluster.serviceUrl,
      masterKey: randomBytes(32),
      dataDir,
    },
    {
      health: alwaysHealthy,
      clock: () => new Date(Date.now() + state.aheadMs),
      providers: new Map([['midtrans', provider]]),
      accountOf: async id => ({
        provider,
        account: { id, mode: 'live', credentials: { server_key: id }, baseUrl: null },
        callbackRules: noCallbackRules,
      }),
      routesOf: async () => ({
        accounts: [{ id: accountId, providerCode: 'midtrans', mode: 'live', priority: 0 }],
        rules: [],
      }),
      ...overrides,
    },
  )
  const server = await serve(app)
  async function keyOf(tenantId: string): Promise<string> {
    const key = newApiKey('live')
    const hash = app.secrets.hash(key).toString('hex')
    await runOn(
      cluster.url,
      `insert into api_keys (id, tenant_id, mode, name, key_hash, display_prefix)
       values ('${newId()}', '${tenantId}', 'live', 'server', '\\x${hash}', 'gp_live_x')`,
    )
    return key
  }
  const post = (path: string, headers: Record<string, string>, body: object) =>
    fetch(`${server.url}/v1/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const create = (key: string, idempotencyKey: string = randomUUID()) =>
    post(
      'payments/create',
      { Authorization: `ApiKey ${key}`, 'X-Idempotency-Key': idempotencyKey },
      anOrder({ customer_email: '', customer_phone: '081234567890' }),
    )
  /** Sends the callback in which the provider reports the payment as paid. */
  const reportPaid = (paymentCode: string): Promise<Response> =>
    post(
      `callbacks/midtrans/${accountId}`,
      {},
      settlementCallback(accountId, { paymentCode, amount: 100_000, transactionId: `p-${paymentCode}` }),
    )
  async function stop() {
    await server.stop()
    await close()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { app, forJobs, charged, state, keyOf, create, reportPaid, stop }
}

/** Returns the node that stores the tenant's rows. */
export async function nodeOf({ url, nodes }: CitusDatabase, tenantId: string) {
  const [row] = await runOn<{ port: number }>(
    url,
    `select nodeport as port from citus_shards
     where shardid = get_shard_id_for_distribution_column('payments', '${tenantId}'::uuid)`,
  )
  return nodes.find(({ port }) => port === row?.port)
}
