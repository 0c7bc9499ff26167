import { DatabaseSync } from 'node:sqlite'
import type { WebhookEvent } from '@gapura/sdk'

const database = new DatabaseSync(process.env.SHOP_DATABASE ?? 'shop.db')
database.exec(`
  create table if not exists heard_events (id text primary key);
  create table if not exists paid_orders (payment_code text primary key, amount_cents integer not null);
`)

/** The shop's mode. Events of the other mode have the same URL and secret. */
const mode = process.env.GAPURA_MODE ?? 'live'

/** Processes each event of the shop's mode once, even if it is delivered more than once. */
export function heed(event: WebhookEvent): void {
  if (event.mode !== mode) return
  database.exec('begin immediate')
  try {
    const isNew =
      database.prepare('insert or ignore into heard_events values (?)').run(event.id).changes === 1
    if (isNew && event.type === 'payment.paid') {
      const { payment_code, amount_paid } = event.data
      database.prepare('insert into paid_orders values (?, ?)').run(payment_code, amount_paid)
    }
    database.exec('commit')
  } catch (error) {
    database.exec('rollback')
    throw error
  }
}

/** The webhook secret, or the old and the new secret during a rotation, separated by a comma. */
export const secrets = (process.env.GAPURA_WEBHOOK_SECRET ?? '').split(',')

/** Returns whether the webhook that reports the payment as paid has been processed. */
export const isPaid = (paymentCode: string): boolean =>
  database.prepare('select 1 from paid_orders where payment_code = ?').get(paymentCode) !== undefined
