import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { keyPairs } from './key-pairs.ts'
import { merchantTable } from './merchants.ts'
import type { MoneyReturn } from './money-return.ts'
import { notificationLog } from './notification-log.ts'
import type { NewOrder, Order, Status } from './order.ts'
import { ofPaymentCode, withoutDashes } from './payment-code.ts'
import { requestLog } from './request-log.ts'
import { returnTable } from './return-table.ts'

// Orders are never deleted, but each log has a maximum length. The column `reference` has no unique index, because
// merchants can reuse the reference of an expired or cancelled order. Instead, the code looks up the reference before
// it writes an order. No other write can happen in between, because SQL runs synchronously in one process.
const schema = `
  create table if not exists orders (
    seq integer primary key,
    provider text not null,
    id text not null unique,
    merchant text not null,
    reference text not null,
    method text not null,
    number text not null,
    customer text not null,
    asked_cents integer not null,
    recorded_cents integer not null,
    status text not null,
    created_at integer not null,
    expires_at integer,
    settled_at integer,
    notification_urls text not null,
    detail text not null
  ) strict;
  create index if not exists orders_reference on orders (reference);
  create index if not exists orders_number on orders (number) where number <> '';
  create index if not exists orders_due on orders (expires_at) where status = 'pending';
  create table if not exists replays (
    seq integer primary key,
    scope text not null,
    status integer not null,
    body text not null
  ) strict;
  create unique index if not exists replays_scope on replays (scope);
`

// Selects all references that start with the searched text: char(1114111) sorts after every other character, so it ends
// the range.
const found = `select * from orders where seq in (
  select seq from orders where reference >= ?1 and reference < ?1 || char(1114111)
  union select seq from orders where number = ?1 and number <> ''
  union select seq from orders where id = ?1)`

const REPLAYS_KEPT = 200_000
const PRUNE_EVERY = 1000

export type Store = ReturnType<typeof openStore>
export type OrderPage = { search?: string; before?: number; after?: number; limit: number }

export function openStore(dataFile?: string) {
  if (dataFile) mkdirSync(dirname(dataFile), { recursive: true })
  const db = new DatabaseSync(dataFile ?? ':memory:')
  // Writes without fsync. The data survives if the process is killed, but may be lost in a power failure.
  db.exec('pragma journal_mode = wal; pragma synchronous = off; pragma temp_store = memory')
  db.exec(schema)

  const insert = db.prepare(`insert into orders
    (provider, id, merchant, reference, method, number, customer, asked_cents, recorded_cents, status,
     created_at, expires_at, settled_at, notification_urls, detail)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const update = db.prepare('update orders set status = ?, recorded_cents = ?, settled_at = ? where seq = ?')
  const change = db.prepare(`update orders
    set asked_cents = ?, recorded_cents = ?, customer = ?, expires_at = ? where seq = ?`)
  const returns = returnTable(db)
  const byId = db.prepare('select * from orders where id = ?')
  const bySeq = db.prepare('select * from orders where seq = ?')
  const ofMerchant = db.prepare(`select * from orders
    where reference = ? and merchant = ? and provider = ? order by seq desc limit 1`)
  const byCode = db.prepare(`select * from orders where ${ofPaymentCode} order by seq desc limit ?3`)
  const before = db.prepare(`select * from orders
    where seq < ? and provider = ? and merchant = ? order by seq desc limit 1`)
  const numberPending = db.prepare(
    `select 1 from orders where number = ? and number <> '' and status = 'pending' limit 1`,
  )
  const due = db.prepare(`select * from orders
    where status = 'pending' and expires_at <= ? order by expires_at limit ?`)
  const newest = db.prepare('select * from orders where seq < ? order by seq desc limit ?')
  const newer = db.prepare('select * from orders where seq > ? order by seq limit ?')
  const searchOlder = db.prepare(`${found} and seq < ?2 order by seq desc limit ?3`)
  const searchNewer = db.prepare(`${found} and seq > ?2 order by seq limit ?3`)
  const count = db.prepare('select coalesce(max(seq), 0) as count from orders')
  const saveReplay = db.prepare('insert into replays (scope, status, body) values (?, ?, ?)')
  const findReplay = db.prepare('select status, body from replays where scope = ?')
  const pruneReplays = db.prepare('delete from replays where seq <= ?')
  // Refunds and chargebacks are not queried for a pending order, because a pending order has none.
  const ordersRow = (row: Row) =>
    orderRow(row, row.status === 'pending' ? [] : returns.listReturns(row.seq as number))
  const orderOf = (row: Row | undefined) => row && ordersRow(row)
  const begin = db.prepare('begin')
  const commit = db.prepare('commit')
  const rollback = db.prepare('rollback')

  return {
    requests: requestLog(db),
    notifications: notificationLog(db),
    merchants: merchantTable(db),
    keyPairOf: keyPairs(db),
    recordReturn: returns.record,

    insertOrder(order: NewOrder): Order {
      const { lastInsertRowid } = insert.run(
        order.provider,
        order.id,
        order.merchant,
        order.reference,
        order.method,
        order.number,
        order.customer,
        order.askedCents,
        order.recordedCents,
        order.status,
        order.createdAt,
        order.expiresAt,
        order.settledAt,
        JSON.stringify(order.notificationUrls),
        JSON.stringify(order.detail),
      )
      return { ...order, seq: Number(lastInsertRowid), returns: [] }
    },
    recordOrder(order: Order): void {
      update.run(order.status, order.recordedCents, order.settledAt, order.seq)
    },
    /** Stores the amount, customer and expiry of a pending order, the only fields that a merchant may change. */
    changeOrder(order: Order): void {
      change.run(order.askedCents, order.recordedCents, order.customer, order.expiresAt, order.seq)
    },
    listPendingReturns: returns.listPending,
    findByReturn: (returnId: string) => {
      const seq = returns.findOrderSeq(returnId)
      return seq === undefined ? undefined : orderOf(bySeq.get(seq))
    },
    findById: (id: string) => orderOf(byId.get(id)),
    findBySeq: (seq: number) => orderOf(bySeq.get(seq)),
    findOfMerchant: (provider: string, merchant: string, reference: string) =>
      orderOf(ofMerchant.get(reference, merchant, provider)),
    /** Finds the newest order for the payment code (see payment-code.ts). */
    findByCode: (code: string) => orderOf(byCode.get(code, withoutDashes(code), 1)),
    /** Returns all orders for the payment code, newest first. */
    listByCode: (code: string, limit: number) => byCode.all(code, withoutDashes(code), limit).map(ordersRow),
    /** Returns orders, oldest first. */
    listAfter: (seq: number, limit: number) => newer.all(seq, limit).map(ordersRow),
    /** Returns the order that the merchant created immediately before the given order. */
    findBefore: ({ seq, provider, merchant }: Order) => orderOf(before.get(seq, provider, merchant)),
    isNumberPending: (number: string) => numberPending.get(number) !== undefined,
    listDue: (now: number, limit: number) => due.all(now, limit).map(ordersRow),
    countOrders: () => Number(count.get()?.count),

    /**
     * Returns one page of orders, newest first. The page contains orders that are older than the order
     * `before` or newer than the order `after`.
     */
    listOrders({ search: text, before, after, limit }: OrderPage): Order[] {
      if (after !== undefined) {
        const rows = text ? searchNewer.all(text, after, limit) : newer.all(after, limit)
        return rows.map(ordersRow).reverse()
      }
      const below = before ?? Number.MAX_SAFE_INTEGER
      const rows = text ? searchOlder.all(text, below, limit) : newest.all(below, limit)
      return rows.map(ordersRow)
    },

    findReplay(scope: string): { status: number; body: string } | undefined {
      const row = findReplay.get(scope)
      return row && { status: Number(row.status), body: String(row.body) }
    },
    saveReplay(scope: string, status: number, body: string): void {
      const seq = Number(saveReplay.run(scope, status, body).lastInsertRowid)
      if (seq % PRUNE_EVERY === 0) pruneReplays.run(seq - REPLAYS_KEPT)
    },

    /**
     * Runs all writes of a request in one transaction. If each write had its own transaction, the
     * transactions would take most of the request's time.
     */
    together<T>(work: () => T): T {
      begin.run()
      try {
        const result = work()
        commit.run()
        return result
      } catch (error) {
        rollback.run()
        throw error
      }
    },
    isClosed: () => !db.isOpen,
    close: () => db.close(),
  }
}

type Row = Record<string, unknown>

function orderRow(row: Row, returns: MoneyReturn[]): Order {
  const { asked_cents, recorded_cents, created_at, expires_at, settled_at, notification_urls, detail } = row
  return {
    seq: row.seq as number,
    provider: row.provider as string,
    id: row.id as string,
    merchant: row.merchant as string,
    reference: row.reference as string,
    method: row.method as string,
    number: row.number as string,
    customer: row.customer as string,
    askedCents: asked_cents as number,
    recordedCents: recorded_cents as number,
    status: row.status as Status,
    createdAt: created_at as number,
    expiresAt: expires_at as number | null,
    settledAt: settled_at as number | null,
    notificationUrls: JSON.parse(notification_urls as string),
    returns,
    detail: JSON.parse(detail as string),
  }
}
