// Creates and pays payments on a Citus cluster while a test moves shards between its nodes. Each payment is
// created, paid by callback, credited, and reported by webhook.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { startWorker } from '../../src/jobs/worker.ts'
import { newWebhookSecret } from '../../src/webhooks/delivery/sign.ts'
import { type CitusDatabase, runOn } from './citus-cluster.ts'
import { citusService } from './citus-service.ts'
import type { fakeServer } from './fake-server.ts'
import { makeTenant } from './make.ts'
import { until } from './merchant.ts'

const TENANTS = 4

/** Starts the service and a worker. `receiver` receives the webhooks. */
export async function runningPayments(
  cluster: CitusDatabase,
  receiver: Awaited<ReturnType<typeof fakeServer>>,
) {
  const tenants: string[] = []
  const created: { tenantId: string; id: string }[] = []
  const errors: { request: string; status: number; retryAfter: string | null }[] = []
  const webhooks = new Set<string>()
  receiver.answers((response, { body }) => {
    webhooks.add(JSON.parse(body).data.id)
    response.end()
  })
  const endpoint = { callbackUrl: receiver.url, secret: newWebhookSecret(), previous: [] }
  const service = await citusService(cluster, { endpointOf: async () => endpoint })
  const only = ['callbacks', 'webhooks'] as const
  const worker = await startWorker(service.forJobs(), cluster.serviceUrl, { alone: true, only })
  for (let n = 0; n < TENANTS; n++)
    tenants.push(await makeTenant(service.app.db, { callbackUrl: receiver.url }))

  /** Retries a request until it succeeds, as merchants and providers do. */
  async function repeat(request: string, send: () => Promise<Response>): Promise<Response> {
    for (;;) {
      const response = await send()
      if (response.status === 200) return response
      errors.push({ request, status: response.status, retryAfter: response.headers.get('retry-after') })
      await pause(500)
    }
  }
  async function pay(tenantId: string, signal: AbortSignal): Promise<void> {
    const key = await service.keyOf(tenantId)
    while (!signal.aborted) {
      const idempotencyKey = randomUUID()
      const response = await repeat('create', () => service.create(key, idempotencyKey))
      const { data } = (await response.json()) as { data: { id: string; payment_code: string } }
      await repeat('callback', () => service.reportPaid(data.payment_code))
      created.push({ tenantId, id: data.id })
      await pause(20)
    }
  }

  /**
   * Calls the test's function `move` while payments are being created and paid. Then waits until a webhook has reported
   * every payment.
   */
  async function during(move: () => Promise<void>): Promise<void> {
    const running = new AbortController()
    const payers = tenants.map(tenantId => pay(tenantId, running.signal))
    try {
      await until('payments run', () => created.length > 20)
      await move()
      const before = created.length
      await until('payments run after the moves', () => created.length > before + 20)
    } finally {
      running.abort()
      await Promise.all(payers)
      // Moving shards leaves roles on the servers. These roles are removed, because they would block the next move of
      // shards in another database.
      await runOn(cluster.url, 'call citus_cleanup_orphaned_resources()')
    }
    await until('webhooks have reported every created payment', () =>
      created.every(({ id }) => webhooks.has(id)),
    )
  }
  async function stop(): Promise<void> {
    await worker.stop()
    await service.stop()
  }
  return { tenants, created, errors, during, stop, db: service.app.db }
}

type RunningPayments = Awaited<ReturnType<typeof runningPayments>>

/**
 * Returns the payments in the cluster (`found`) and every created payment as it must be in the cluster (`expected`):
 * paid, and credited once.
 */
export async function paymentsOf({ url }: CitusDatabase, { created }: Pick<RunningPayments, 'created'>) {
  const found = await runOn<{ id: string }>(
    url,
    `select p.id, p.status, count(distinct e.id)::integer as credits, count(distinct t.number)::integer as transitions
     from payments p
     left join ledger_entries e on e.tenant_id = p.tenant_id and e.payment_id = p.id
     left join payment_transitions t on t.tenant_id = p.tenant_id and t.payment_id = p.id
     group by p.tenant_id, p.id, p.status`,
  )
  const expected = created.map(({ id }) => ({ id, status: 'paid', credits: 1, transitions: 2 }))
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
  return { found: found.sort(byId), expected: expected.sort(byId) }
}

/**
 * Returns two lists of balances: the balances stored in the cluster (`found`), and the balances computed as
 * sums of the created payments (`expected`).
 */
export async function balancesOf(
  { url }: CitusDatabase,
  { tenants, created }: Pick<RunningPayments, 'tenants' | 'created'>,
) {
  const found = await runOn(
    url,
    `select b.tenant_id as "tenantId", b.balance, sum(e.amount)::bigint as entries
     from balances b join ledger_entries e on e.tenant_id = b.tenant_id and e.mode = b.mode
     group by b.tenant_id, b.mode, b.balance order by 1`,
  )
  const expected = tenants.toSorted().map(tenantId => {
    const sum = String(10_000_000 * created.filter(payment => payment.tenantId === tenantId).length)
    return { tenantId, balance: sum, entries: sum }
  })
  return { found, expected }
}
