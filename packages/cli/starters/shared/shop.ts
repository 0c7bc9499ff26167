import { DatabaseSync } from 'node:sqlite'
import type { WebhookEvent } from '@gapura/sdk'

const database = new DatabaseSync(process.env.SHOP_DATABASE ?? 'shop.db')
database.exec(`
  create table if not exists heard_events (id text primary key);
  create table if not exists paid_orders (payment_code text primary key, amount_cents integer not null);
  create table if not exists orders_to_review (payment_code text primary key);
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
    if (isNew) recordOrder(event)
    database.exec('commit')
  } catch (error) {
    database.exec('rollback')
    throw error
  }
}

/**
 * Records an order as paid, or for review: the operator may have accepted less than the amount due, or the money may have
 * been returned to the payer. After an outage, an old `payment.paid` can arrive after `payment.refunded`.
 */
function recordOrder(event: WebhookEvent): void {
  if (event.type === 'payment.refunded' || event.type === 'payment.reversed') review(event.data.payment_code)
  if (event.type !== 'payment.paid') return
  const { payment_code, amount, amount_paid } = event.data
  const isInReview = database
    .prepare('select 1 from orders_to_review where payment_code = ?')
    .get(payment_code)
  if (isInReview || amount_paid < amount) review(payment_code)
  else database.prepare('insert into paid_orders values (?, ?)').run(payment_code, amount_paid)
}

const review = (paymentCode: string) =>
  database.prepare('insert or ignore into orders_to_review values (?)').run(paymentCode)

/** The webhook secret, or the old and the new secret during a rotation, separated by a comma. */
export const secrets = (process.env.GAPURA_WEBHOOK_SECRET ?? '').split(',')

/** Returns whether the webhook that reports the payment as paid has been processed. */
export const isPaid = (paymentCode: string): boolean =>
  database.prepare('select 1 from paid_orders where payment_code = ?').get(paymentCode) !== undefined
