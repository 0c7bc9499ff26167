import type { DatabaseSync } from 'node:sqlite'
import type { MoneyReturn, ReturnKind } from './money-return.ts'

// Refunds and chargebacks have their own table, which is created if the data file does not contain it. The
// sandbox can therefore open data files from earlier versions.
const schema = `
  create table if not exists returns (
    seq integer primary key,
    order_seq integer not null,
    id text not null,
    kind text not null,
    key text,
    amount_cents integer not null check (amount_cents > 0),
    status text not null,
    reason text not null,
    created_at integer not null,
    final_at integer
  ) strict;
  create unique index if not exists returns_order on returns (order_seq, id);
  create index if not exists returns_id on returns (id);
`

export type ReturnTable = {
  /**
   * Adds a refund or chargeback to an order. If the order already has an entry with the same ID, this entry
   * is updated instead.
   */
  record(orderSeq: number, returned: MoneyReturn): void
  /** Returns an order's refunds and chargebacks, oldest first. */
  listReturns(orderSeq: number): MoneyReturn[]
  /** Returns the refunds and chargebacks of all orders that are still pending. */
  listPending(): { orderSeq: number; returned: MoneyReturn }[]
  findOrderSeq(id: string): number | undefined
}

export function returnTable(db: DatabaseSync): ReturnTable {
  db.exec(schema)
  const save = db.prepare(`insert into returns
    (order_seq, id, kind, key, amount_cents, status, reason, created_at, final_at)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?)
    on conflict (order_seq, id) do update set status = excluded.status, final_at = excluded.final_at`)
  const ofOrder = db.prepare('select * from returns where order_seq = ? order by seq')
  const pending = db.prepare(`select * from returns where status = 'pending' order by seq`)
  const byId = db.prepare('select order_seq from returns where id = ?')
  return {
    record(orderSeq, { id, kind, key, amountCents, status, reason, createdAt, finalAt }) {
      save.run(orderSeq, id, kind, key, amountCents, status, reason, createdAt, finalAt)
    },
    listReturns: orderSeq => ofOrder.all(orderSeq).map(returnOf),
    listPending: () =>
      pending.all().map(row => ({ orderSeq: row.order_seq as number, returned: returnOf(row) })),
    findOrderSeq: id => byId.get(id)?.order_seq as number | undefined,
  }
}

function returnOf(row: Record<string, unknown>): MoneyReturn {
  return {
    id: row.id as string,
    kind: row.kind as ReturnKind,
    key: row.key as string | null,
    amountCents: row.amount_cents as number,
    status: row.status as MoneyReturn['status'],
    reason: row.reason as string,
    createdAt: row.created_at as number,
    finalAt: row.final_at as number | null,
  }
}
