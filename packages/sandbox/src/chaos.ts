import { hash } from 'node:crypto'
import type { MoneyReturn } from './money-return.ts'
import type { Order, Status } from './order.ts'

// Simulates random failures at a provider. Whether a request fails depends on a hash of the seed, the kind of
// failure and the customer's name (or the order's reference if there is no name). The sequence of requests does not
// matter.

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
  // An older status, used to simulate notifications that arrive out of order. The provider first sends a signed
  // notification with this status, then one with the current status.
  stale?: Status
  forged?: Forgery
}

type Named = Pick<Order, 'customer' | 'reference'>

export function timesOut(chaos: Chaos, order: Named): boolean {
  return happens(chaos.timeOutCreates, () => draw(chaos.seed, order, 'time out create'))
}

export function mischiefOf(chaos: Chaos, order: Order, returned?: MoneyReturn): Mischief {
  // Failures are chosen separately for each status, so the `paid` notification may arrive even if the `pending`
  // notification is lost.
  const event = returned ? returnEvent(order, returned) : order.status
  const drawn = (purpose: string) => draw(chaos.seed, order, `${event} ${purpose}`)
  const lost = happens(chaos.lose, () => drawn('lose'))
  // If the current notification is lost, no older notification is sent either. Otherwise, the merchant would never
  // learn that the older status is outdated.
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
 * Identifies a refund or chargeback by its position in the order's list. Unlike the ID, the position is the same in
 * every run.
 */
function returnEvent({ returns }: Order, { id, kind, status }: MoneyReturn): string {
  return `${kind} ${returns.findIndex(each => each.id === id)} ${status}`
}

/**
 * Returns a status that the order may have had before. Every order was pending, and a paid order may have expired
 * before it was paid.
 */
function staleBefore(status: Status, drawn: number): Status | undefined {
  if (status === 'pending') return undefined
  return status === 'paid' && drawn < 0.5 ? 'expired' : 'pending'
}

/**
 * Decides whether a failure occurs. Does not call `drawn` if the probability is zero, because computing a hash for
 * each of thousands of orders per second would be slow.
 */
function happens(probability: number, drawn: () => number): boolean {
  return probability > 0 && drawn() < probability
}

/**
 * Returns a number that is at least 0 and less than 1. The same seed, order and purpose always give the same
 * number.
 */
function draw(seed: string, { customer, reference }: Named, purpose: string): number {
  const subject = customer || reference
  // Uses 48 bits of the hash, which fit exactly into a double-precision number.
  return Number.parseInt(hash('sha256', JSON.stringify([seed, subject, purpose])).slice(0, 12), 16) / 2 ** 48
}
