// The reference program (floor) for applying callbacks. It is a straightforward implementation that applies each
// callback in its own transaction and locks the payment and the balance.

import { randomUUIDv7 } from 'node:crypto'
import pg from 'pg'
import { answer, configured, type Partner, startPartner } from '../host/partner.ts'

type Config = { url: string; connections: number }
type Answers = { drain(): Promise<void> }
type Waiting = { id: string; body: Buffer }

export type ApplyFloor = Partner<Answers>

export const startApplyFloor = (config: Config): Promise<ApplyFloor> =>
  startPartner<Answers>(import.meta.filename, { config })

const statements = {
  waiting: `select id, body from provider_callbacks where status = 'received'`,
  lockPayment: `select p.* from payment_references r join payments p on p.tenant_id = r.tenant_id and p.id = r.payment_id
    where r.reference = $1 for update of p`,
  pay: `update payments set status = 'paid', transition_count = transition_count + 1, paid_at = now(), amount_paid = amount,
      paid_reference = payment_code, next_check_at = null, updated_at = now()
    where tenant_id = $1 and id = $2`,
  move: `insert into payment_transitions (tenant_id, payment_id, number, at, from_status, to_status, cause)
    values ($1, $2, $3, now(), 'pending', 'paid', 'callback')`,
  lockBalance: 'select balance, version from balances where tenant_id = $1 and mode = $2 for update',
  post: `insert into ledger_entries (
      tenant_id, id, mode, version, payment_id, entry_type, amount, balance_after, reference_id, reason, created_at)
    values ($1, $2, $3, $4, $5, 'credit', $6, $7, $8, 'payment received', now())`,
  tell: `with event as (
      insert into webhook_events (
        tenant_id, id, payment_id, number, mode, type, body, created_at)
      values ($1, $2, $3, $4, $5, 'payment.paid', $6, now()) returning tenant_id, id
    ), queued as (
      insert into webhook_queue (tenant_id, event_id, status, attempts_left, next_attempt_at)
      select tenant_id, id, 'pending', 4, now() from event
    )
    select graphile_worker.add_job('deliver', json_build_object('id', id)) from event`,
  finish: `update provider_callbacks set status = 'applied', tenant_id = $2, payment_id = $3, processed_at = now()
    where id = $1`,
}

async function run({ url, connections }: Config): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: connections, min: connections })
  const drain = async () => {
    const { rows: waiting } = await pool.query<Waiting>({ name: 'waiting', text: statements.waiting })
    await Promise.all(
      Array.from({ length: connections }, async () => {
        const client = await pool.connect()
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await apply(client, next)
        client.release()
      }),
    )
  }
  answer({ drain } satisfies Answers, () => pool.end())
}

async function apply(client: pg.PoolClient, { id, body }: Waiting): Promise<void> {
  const ask = async (name: keyof typeof statements, values: unknown[]) =>
    (await client.query({ name, text: statements[name], values })).rows[0]
  await client.query('begin')
  const payment = await ask('lockPayment', [JSON.parse(body.toString()).order_id])
  const { tenant_id, mode, transition_count } = payment
  await ask('pay', [tenant_id, payment.id])
  await ask('move', [tenant_id, payment.id, transition_count + 1])
  const { balance, version } = await ask('lockBalance', [tenant_id, mode])
  await ask('post', [
    tenant_id,
    randomUUIDv7(),
    mode,
    BigInt(version) + 1n,
    payment.id,
    payment.amount,
    BigInt(balance) + BigInt(payment.amount),
    payment.payment_code,
  ])
  const eventId = randomUUIDv7()
  const event = JSON.stringify({ id: eventId, type: 'payment.paid', data: payment })
  await ask('tell', [tenant_id, eventId, payment.id, transition_count + 1, mode, event])
  await ask('finish', [id, tenant_id, payment.id])
  await client.query('commit')
}

if (process.argv[1] === import.meta.filename) await run(await configured<Config>())
