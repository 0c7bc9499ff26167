// The reference program for sending webhooks: a minimal program with which the benchmark compares the service. It
// differs from the service in these points:
// - It uses plain undici, and records two hundred delivery attempts per INSERT.
// - It computes no signatures.
// - It reads the stored bodies, but sends the same uncompressed body for every event. This body and the headers are as
//   large as the service's.

import pg from 'pg'
import { Agent, request } from 'undici'
import { answer, configured, type Partner, startPartner } from '../host/partner.ts'

/** `body` is the body of every webhook that the program sends. */
type Config = { databaseUrl: string; url: string; body: string }
type Answers = { deliver(): Promise<void> }
type Waiting = { tenant_id: string; id: string; body_compressed: Buffer }
type Attempt = { event: Waiting; startedAt: Date; durationMs: number; status: number; answer: string }

export const startDeliverFloor = (config: Config): Promise<Partner<Answers>> =>
  startPartner<Answers>(import.meta.filename, { config })

/** The maximum number of connections to one webhook receiver, the same as in the service. */
const CONNECTIONS = 64
const WRITTEN_AT_ONCE = 200

const waiting = `select e.tenant_id, e.id, e.body_compressed from webhook_queue q
  join webhook_events e on e.tenant_id = q.tenant_id and e.id = q.event_id where q.status = 'pending'`
const write = `insert into webhook_attempts (tenant_id, event_id, number, started_at, duration_ms, response_status, response_body)
  select tenant_id, event_id, 1, started_at, duration_ms, status, answer
  from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::integer[], $5::integer[], $6::text[])
    as a (tenant_id, event_id, started_at, duration_ms, status, answer)`

async function run({ databaseUrl, url, body: sent }: Config): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  const agent = new Agent({ connections: CONNECTIONS })

  const send = async (event: Waiting): Promise<Attempt> => {
    const startedAt = new Date()
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-service-event-id': event.id,
        'x-service-event-type': 'payment.paid',
        'x-service-signature': `sha256=${'0'.repeat(64)}`,
        'webhook-id': event.id,
        'webhook-timestamp': '1790000000',
        'webhook-signature': `v1,${'0'.repeat(44)}`,
        'user-agent': 'floor',
      },
      body: sent,
      dispatcher: agent,
    })
    const answer = await body.text()
    return { event, startedAt, durationMs: Date.now() - startedAt.getTime(), status: statusCode, answer }
  }

  const log = (attempts: Attempt[]) =>
    pool.query({
      name: 'write',
      text: write,
      values: [
        attempts.map(({ event }) => event.tenant_id),
        attempts.map(({ event }) => event.id),
        attempts.map(({ startedAt }) => startedAt),
        attempts.map(({ durationMs }) => durationMs),
        attempts.map(({ status }) => status),
        attempts.map(({ answer }) => answer),
      ],
    })

  const deliver = async () => {
    const { rows } = await pool.query<Waiting>({ name: 'waiting', text: waiting })
    let ended: Attempt[] = []
    const written: Promise<unknown>[] = []
    const flush = () => {
      if (ended.length > 0) written.push(log(ended))
      ended = []
    }
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (let next = rows.pop(); next !== undefined; next = rows.pop()) {
          const attempt = await send(next)
          ended.push(attempt)
          if (ended.length >= WRITTEN_AT_ONCE) flush()
        }
      }),
    )
    flush()
    await Promise.all(written)
  }
  answer({ deliver } satisfies Answers, () => Promise.all([pool.end(), agent.destroy()]))
}

if (process.argv[1] === import.meta.filename) await run(await configured<Config>())
