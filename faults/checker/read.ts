// Reads the evidence for a fault-injection round from the database and from the sandbox's records. Its SQL is
// separate from the service's SQL.

import { inflateRawSync } from 'node:zlib'
import pg from 'pg'
import { dictionaries } from '../../packages/server/src/compression/dictionaries.ts'
import type { Kept, ProviderOrder, SentCallback } from './evidence.ts'

/** Reads the database rows. `url` must connect as the superuser, who can read every row. */
export async function readDatabase(url: string): Promise<Kept> {
  return withClient(url, async client => {
    const all = async <Row>(sql: string) => (await client.query(sql)).rows as Row[]
    await client.query('begin isolation level repeatable read read only')
    return {
      payments: await all(
        `select tenant_id "tenantId", id, payment_code code, idempotency_key key, status, amount, amount_paid "amountPaid"
         from payments`,
      ),
      transitions: await all(
        `select tenant_id "tenantId", payment_id "paymentId", number, from_status "from", to_status "to"
         from payment_transitions`,
      ),
      entries: await all(
        `select tenant_id "tenantId", mode, version, payment_id "paymentId", refund_id "refundId", entry_type type,
                amount, balance_after "balanceAfter"
         from ledger_entries`,
      ),
      refunds: await all(
        `select tenant_id "tenantId", id, payment_id "paymentId", idempotency_key key, reference, provider, amount, status,
                method, origin, requested_at is not null "isRequested"
         from refunds`,
      ),
      balances: await all('select tenant_id "tenantId", mode, balance, version from balances'),
      events: await all(
        `select e.tenant_id "tenantId", e.id, e.payment_id "paymentId", e.number, e.type,
                (select count(*)::int from webhook_attempts a where a.tenant_id = e.tenant_id and a.event_id = e.id) attempts
         from webhook_events e`,
      ),
      callbacks: (
        await all<{ provider: string; status: string; body: Buffer | null; compressed: Buffer | null }>(
          'select provider, status, body, message_compressed compressed from provider_callbacks',
        )
      ).map(({ body, compressed, ...row }) => ({ ...row, body: (body ?? bodyIn(compressed)).toString() })),
      unexpected: await all(
        `select payment_id "paymentId", kind, status, credited, amount, reference from unexpected_money`,
      ),
    }
  })
}

/**
 * Returns the body of a compressed callback. The decompressed message contains the headers, a NUL byte and
 * the body (decision 80).
 */
function bodyIn(compressed: Buffer | null): Buffer {
  const dictionary = dictionaries.get(compressed?.[0] ?? 0)
  if (compressed === null || dictionary === undefined)
    throw new Error('the body of a stored callback cannot be decompressed')
  const message = inflateRawSync(compressed.subarray(1), { dictionary })
  return message.subarray(message.indexOf(0) + 1)
}

export type Waiting = Record<'callbacks' | 'checks' | 'refunds' | 'webhooks' | 'jobs', number>

/**
 * Counts work, such as jobs and status inquiries, that was due at a given time and is not done. The test moves only the
 * service's clock, so the time is given twice: `moved` on the service's clock, and `real` on the database's clock. Jobs
 * without remaining attempts do not count: their worker was killed, and newer jobs have replaced them.
 */
export async function readWaiting(
  url: string,
  { moved, real }: { moved: Date; real: Date },
): Promise<Waiting> {
  return withClient(url, async client => {
    const { rows } = await client.query(
      `select (select count(*)::int from provider_callbacks where status = 'received' and received_at <= $2) callbacks,
              (select count(*)::int from payments
               where next_check_at <= $1 or status = 'charging' and updated_at <= $1) checks,
              (select count(*)::int from refunds where next_check_at <= $1) refunds,
              (select count(*)::int from webhook_queue where status = 'pending' and next_attempt_at <= $1) webhooks,
              (select count(*)::int from graphile_worker.jobs where run_at <= $2 and attempts < max_attempts) jobs`,
      [moved, real],
    )
    return rows[0]
  })
}

/** Counts the undelivered webhook events with delivery attempts left. */
export const countPendingEvents = (url: string): Promise<number> =>
  withClient(url, async client => {
    const { rows } = await client.query(
      `select count(*)::int count from webhook_queue where status = 'pending'`,
    )
    return rows[0].count
  })

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const { builtins } = pg.types
  const client = new pg.Client({
    connectionString: url,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === builtins.INT8
          ? BigInt
          : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
    },
  })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const PAGE = 1_000

async function readAll<Row extends { seq: number }>(url: string, list: string): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const response = await fetch(`${url}/${list}?after=${rows.at(-1)?.seq ?? 0}&limit=${PAGE}`)
    if (!response.ok) throw new Error(`the sandbox returned ${response.status}: ${await response.text()}`)
    const page = ((await response.json()) as Record<string, Row[]>)[list] ?? []
    rows.push(...page)
    if (page.length < PAGE) return rows
  }
}

/**
 * Restores the dashes in a payment code. Midtrans BI-SNAP accepts only letters and digits in references, so
 * `GP261120-7Q4M2ZK8XW-2` is sent as `GP2611207Q4M2ZK8XWT2`.
 */
const withDashes = (reference: string): string =>
  reference.replace(/^(GP\d{6})([0-9A-Z]{10})(?:T(\d+))?$/, (_, day, random, attempt) =>
    [day, random, ...(attempt ? [attempt] : [])].join('-'),
  )

/**
 * The convenience stores at which Tripay charges payers a fee, with the fee in cents. Tripay does not document
 * whether `amount` in a status response includes this fee. The service therefore subtracts the fee if `amount` is not
 * the requested amount.
 */
const TRIPAY_STORES = ['ALFAMART', 'INDOMARET', 'ALFAMIDI']
const TRIPAY_STORE_FEE = 350_000n

type OrderRecord = {
  seq: number
  provider: string
  reference: string
  method: string
  status: string
  asked_cents: number
  recorded_cents: number
  held_cents: number
  returns: { kind: string; key: string | null; amount_cents: number; status: string }[]
}
type NotificationRecord = {
  seq: number
  provider: string
  reference: string
  request_body: string
  answered_status: number
}

export async function readSandbox(url: string): Promise<{ orders: ProviderOrder[]; sent: SentCallback[] }> {
  const orders = await readAll<OrderRecord>(url, 'orders')
  const notifications = await readAll<NotificationRecord>(url, 'notifications')
  return {
    orders: orders.map(({ provider, reference, method, status, returns, ...cents }) => ({
      provider,
      reference: withDashes(reference),
      status,
      askedCents: BigInt(cents.asked_cents),
      recordedCents: BigInt(cents.recorded_cents),
      heldCents: BigInt(cents.held_cents),
      payerFeeCents: provider === 'tripay' && TRIPAY_STORES.includes(method) ? TRIPAY_STORE_FEE : 0n,
      // The status inquiry for DOKU's QR payments has no field for refunds (developers.doku.com, QRIS).
      listsRefunds: !(provider === 'doku' && method === 'qris'),
      returns: returns.map(({ kind, key, amount_cents, status }) => ({
        ...{ kind, key, status },
        cents: BigInt(amount_cents),
      })),
    })),
    sent: notifications.map(({ provider, reference, request_body, answered_status }) => ({
      provider,
      reference: withDashes(reference),
      body: request_body,
      answeredStatus: answered_status,
    })),
  }
}
