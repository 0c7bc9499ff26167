import type { DatabaseSync } from 'node:sqlite'
import type { MoneyReturn } from './money-return.ts'
import type { Notification, Tampering } from './notification.ts'
import type { Order } from './order.ts'

// The table `attempts` logs all attempts to send a notification. The table `owed` stores the notifications still
// to be sent, so that they survive a restart.
const schema = `
  create table if not exists attempts (
    seq integer primary key,
    order_seq integer not null,
    at integer not null,
    url text not null,
    says text not null,
    try integer not null,
    request_body text not null,
    answered_status integer not null,
    answered_body text not null
  ) strict;
  create index if not exists attempts_order on attempts (order_seq);
  create table if not exists owed (
    seq integer primary key,
    order_seq integer not null,
    delivery text not null,
    due_at integer not null
  ) strict;
  create index if not exists owed_due on owed (due_at);
  create index if not exists owed_order on owed (order_seq);
`

const ATTEMPTS_KEPT = 100_000
const PRUNE_EVERY = 1000
const BODY_KEPT_CHARS = 2000
// A scan reserves each retry that it starts for this many milliseconds, so that no other scan sends the same
// notification. The time is longer than any delivery, even with all redirects and timeouts.
const CLAIM_MS = 240_000

export type Attempt = {
  at: number
  url: string
  says: string
  try: number
  requestBody: string
  // The response's HTTP status. After a connection error, the status is 0 and the body is the error text.
  answeredStatus: number
  answeredBody: string
}

/** An attempt to send a notification, together with the order that the notification describes. */
export type SentAttempt = Attempt & { seq: number; provider: string; reference: string }

export type Owed = {
  // The order as it was when the notification was created. The stored order may be newer.
  order: Order
  tampering: Tampering
  // The refund or chargeback to report. If absent, the notification reports the order's status.
  returned?: MoneyReturn
  // The merchant's address to which the notification is sent.
  url: string
  // The notification to send. If absent, the next attempt creates one.
  notification?: Notification
  // The number of retries so far.
  done: number
}

export function notificationLog(db: DatabaseSync) {
  db.exec(schema)
  const insertAttempt = db.prepare(`insert into attempts
    (order_seq, at, url, says, try, request_body, answered_status, answered_body)
    values (?, ?, ?, ?, ?, ?, ?, ?)`)
  const pruneAttempts = db.prepare('delete from attempts where seq <= ?')
  const listAttempts = db.prepare('select * from attempts where order_seq = ? order by seq desc limit ?')
  const attemptsAfter = db.prepare(`select a.*, o.provider, o.reference from attempts a
    join orders o on o.seq = a.order_seq where a.seq > ? order by a.seq limit ?`)
  const owe = db.prepare('insert into owed (order_seq, delivery, due_at) values (?, ?, ?)')
  const due = db.prepare('select seq, delivery from owed where due_at <= ? order by due_at limit ?')
  const claim = db.prepare('update owed set due_at = ? where seq = ?')
  const settle = db.prepare('delete from owed where seq = ?')
  const nextDue = db.prepare('select min(due_at) as at from owed where order_seq = ?')

  return {
    addAttempt(orderSeq: number, attempt: Attempt): void {
      const { lastInsertRowid } = insertAttempt.run(
        orderSeq,
        attempt.at,
        attempt.url,
        attempt.says,
        attempt.try,
        attempt.requestBody,
        attempt.answeredStatus,
        attempt.answeredBody.slice(0, BODY_KEPT_CHARS),
      )
      const seq = Number(lastInsertRowid)
      if (seq % PRUNE_EVERY === 0) pruneAttempts.run(seq - ATTEMPTS_KEPT)
    },
    listAttempts(orderSeq: number, limit: number): Attempt[] {
      return listAttempts.all(orderSeq, limit).map(attemptOf)
    },
    /** Returns the notification attempts for all orders, oldest first. */
    listAttemptsAfter(seq: number, limit: number): SentAttempt[] {
      return attemptsAfter.all(seq, limit).map(row => ({
        ...attemptOf(row),
        seq: row.seq as number,
        provider: row.provider as string,
        reference: row.reference as string,
      }))
    },
    owe(owed: Owed, dueAt: number): void {
      owe.run(owed.order.seq, JSON.stringify(owed), dueAt)
    },
    claimDue(now: number, limit: number): (Owed & { seq: number })[] {
      const rows = due.all(now, limit)
      for (const row of rows) claim.run(now + CLAIM_MS, row.seq as number)
      return rows.map(row => ({ ...owedOf(row.delivery as string), seq: row.seq as number }))
    },
    settle(seq: number): void {
      settle.run(seq)
    },
    nextRetryAt(orderSeq: number): number | null {
      return (nextDue.get(orderSeq)?.at ?? null) as number | null
    },
  }
}

/**
 * Parses a stored notification. If it was stored by an earlier version of the sandbox, its order has no list of
 * refunds and chargebacks.
 */
function owedOf(text: string): Owed {
  const owed = JSON.parse(text) as Owed
  return { ...owed, order: { ...owed.order, returns: owed.order.returns ?? [] } }
}

function attemptOf(row: Record<string, unknown>): Attempt {
  return {
    at: row.at as number,
    url: row.url as string,
    says: row.says as string,
    try: row.try as number,
    requestBody: row.request_body as string,
    answeredStatus: row.answered_status as number,
    answeredBody: row.answered_body as string,
  }
}
