import { hash } from 'node:crypto'
import type { MoneyReturn } from './money-return.ts'
import type { Order, Status } from './order.ts'

// Simulates random failures at a provider. Whether a request fails depends only on a hash of the seed, the kind of
// failure and the customer's name. If there is no name, the hash uses the order's reference. The sequence of the
// requests has no effect.

export type Chaos = {
  seed: string
  // The probability of each failure, from 0 to 1.
  lose: number
  repeat: number
  reorder: number
  forge: number
  timeOutCreates: number
  // Each notification is delayed by a random time of up to this many milliseconds.
  delayMs: number
}

export const calm: Chaos = {
  seed: '',
  lose: 0,
  repeat: 0,
  reorder: 0,
  forge: 0,
  timeOutCreates: 0,
  delayMs: 0,
}

const COPIES_OF_REPEATED = 5

export type Forgery = { when: 'before' | 'after'; claims: 'another amount' | 'another order' }

/** The random failures applied to one of an order's notifications. */
export type Mischief = {
  // True if the notification is never sent, so only a status inquiry shows the order's status.
  lost: boolean
  copies: number
  delayMs: (copy: number) => number
  // An older status of the order, used to simulate notifications that arrive out of order. If it is set, the provider
  // first sends a signed notification with this status, then a notification with the current status.
  stale?: Status
  forged?: Forgery
}

type Named = Pick<Order, 'customer' | 'reference'>

export function timesOut(chaos: Chaos, order: Named): boolean {
  return happens(chaos.timeOutCreates, () => draw(chaos.seed, order, 'time out create'))
}

export function mischiefOf(chaos: Chaos, order: Order, returned?: MoneyReturn): Mischief {
  // Random failures are chosen separately for each order status, so the `paid` notification may arrive even if the
  // `pending` notification was lost.
  const event = returned ? returnEvent(order, returned) : order.status
  const drawn = (purpose: string) => draw(chaos.seed, order, `${event} ${purpose}`)
  const lost = happens(chaos.lose, () => drawn('lose'))
  // An outdated notification is sent only together with the current one. Otherwise, the merchant could not learn that
  // the older status is outdated.
  const overtaken = !lost && happens(chaos.reorder, () => drawn('reorder'))
  const before = () => (returned ? 'paid' : staleBefore(order.status, drawn('stale')))
  const stale = overtaken ? before() : undefined
  return {
    lost,
    copies: happens(chaos.repeat, () => drawn('repeat')) ? COPIES_OF_REPEATED : 1,
    delayMs: copy => Math.round(drawn(`delay ${copy}`) * chaos.delayMs),
    ...(stale && { stale }),
    ...(happens(chaos.forge, () => drawn('forge')) && {
      forged: {
        when: drawn('forge when') < 0.5 ? 'before' : 'after',
        claims: drawn('forge claim') < 0.5 ? 'another amount' : 'another order',
      },
    }),
  }
}

/**
 * Returns an identifier for a refund or chargeback. The identifier is the same in every run of the sandbox: it contains
 * the position in the order's list of refunds and chargebacks, and not the ID, which differs between runs.
 */
function returnEvent({ returns }: Order, { id, kind, status }: MoneyReturn): string {
  return `${kind} ${returns.findIndex(each => each.id === id)} ${status}`
}

/**
 * Returns an earlier status of the order. For a paid order, this is `pending` or `expired`, because an order can be
 * paid after it expired. For a pending order, it is undefined. For all other orders, it is `pending`.
 */
function staleBefore(status: Status, drawn: number): Status | undefined {
  if (status === 'pending') return undefined
  return status === 'paid' && drawn < 0.5 ? 'expired' : 'pending'
}

/**
 * Returns whether the simulated failure occurs. If the probability is zero, `drawn` is not called, because it
 * computes a hash, which would be slow for thousands of orders per second.
 */
function happens(probability: number, drawn: () => number): boolean {
  return probability > 0 && drawn() < probability
}

/**
 * Returns a pseudorandom number that is at least 0 and less than 1. The same seed, purpose and customer of
 * the order always give the same number. If the customer is empty, the order's reference is used instead.
 */
function draw(seed: string, { customer, reference }: Named, purpose: string): number {
  const subject = customer || reference
  // The random number is made from the first 48 bits of the hash, because a JavaScript number stores 48 bits
  // exactly.
  return Number.parseInt(hash('sha256', JSON.stringify([seed, subject, purpose])).slice(0, 12), 16) / 2 ** 48
}
