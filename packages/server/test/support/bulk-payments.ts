// Creates many payments by copying one payment. Each copy is a minute older than the previous copy.

import { join } from 'node:path'
import pg from 'pg'

/** Inserts `count` copies of a payment into a service's embedded database, located in the directory `dataDir`. */
export async function copyPayment(dataDir: string, paymentId: string, count: number): Promise<void> {
  const client = new pg.Client({ host: join(dataDir, 'socket'), user: 'gapura_owner', database: 'gapura' })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
       where attrelid = 'payments'::regclass and attnum > 0 and not attisdropped
         and attname not in ('id', 'payment_code', 'idempotency_key', 'created_at', 'next_check_at', 'customer_name')`,
    )
    const { columns } = rows[0] as { columns: string }
    await client.query(
      `insert into payments (id, payment_code, idempotency_key, created_at, next_check_at, customer_name, ${columns})
       select uuidv7(n * interval '-1 minute'), 'GP260101-' || translate(lpad(upper(to_hex(n)), 10, '0'), 'ILOU', '0000'),
              'copy-' || n, created_at - n * interval '1 minute', null, 'Customer ' || n, ${columns}
       from payments, generate_series(1, $2) n where id = $1`,
      [paymentId, count],
    )
    await client.query('analyze payments')
  } finally {
    await client.end()
  }
}
