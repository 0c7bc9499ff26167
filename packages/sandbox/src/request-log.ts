import type { DatabaseSync } from 'node:sqlite'
import { ofPaymentCode, withoutDashes } from './payment-code.ts'

// Logs all create requests to a provider, including rejected ones. Tests count them to check that a provider was called
// only once.
const schema = `
  create table if not exists requests (
    seq integer primary key,
    at integer not null,
    provider text not null,
    method text not null,
    path text not null,
    reference text not null,
    idempotency_key text,
    steering text,
    answered_status integer,
    answered_code text
  ) strict;
  create index if not exists requests_reference on requests (reference);
`

const KEPT = 200_000
// The log is trimmed after this many inserts, because trimming it on each insert would be slower.
const PRUNE_EVERY = 1000
const LISTED = 1000

export type RequestEntry = {
  at: number
  provider: string
  method: string
  path: string
  reference: string
  idempotencyKey: string | null
  steering: string | null
  // The HTTP status of the provider's response. Null if the provider never responds.
  answeredStatus: number | null
  // The provider's own status code. Null if the response has only the HTTP status.
  answeredCode: string | null
}

export function requestLog(db: DatabaseSync) {
  db.exec(schema)
  const insert = db.prepare(`insert into requests
    (at, provider, method, path, reference, idempotency_key, steering, answered_status, answered_code)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const prune = db.prepare('delete from requests where seq <= ?')
  const byCode = db.prepare(`select * from requests where ${ofPaymentCode} order by seq limit ?3`)
  const newest = db.prepare('select * from requests order by seq desc limit ?')

  return {
    add(entry: RequestEntry): void {
      const { lastInsertRowid } = insert.run(
        entry.at,
        entry.provider,
        entry.method,
        entry.path,
        entry.reference,
        entry.idempotencyKey,
        entry.steering,
        entry.answeredStatus,
        entry.answeredCode,
      )
      const seq = Number(lastInsertRowid)
      if (seq % PRUNE_EVERY === 0) prune.run(seq - KEPT)
    },
    /**
     * Returns the requests for the given payment code, oldest first. Without a code, returns the newest requests
     * for all payments.
     */
    list(code: string | undefined): RequestEntry[] {
      const rows = code === undefined ? newest.all(LISTED) : byCode.all(code, withoutDashes(code), LISTED)
      return rows.map(row => ({
        at: row.at as number,
        provider: row.provider as string,
        method: row.method as string,
        path: row.path as string,
        reference: row.reference as string,
        idempotencyKey: row.idempotency_key as string | null,
        steering: row.steering as string | null,
        answeredStatus: row.answered_status as number | null,
        answeredCode: row.answered_code as string | null,
      }))
    },
  }
}
