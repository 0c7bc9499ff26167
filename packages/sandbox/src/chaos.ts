import { hash } from 'node:crypto'
import type { MoneyReturn } from './money-return.ts'
import type { Order, Status } from './order.ts'

// Simulates random failures of a provider that a seed makes reproducible. Each decision is derived from a hash of the
// seed, the kind of decision and the customer's name. If the name is empty, the order's reference is used instead.
// The sequence of the requests therefore does not affect the result. Tests can choose the name, whereas the service
// generates the reference.

export type Chaos = {
  seed: string
  // The probabilities of the failures. Each is a number from 0 to 1.
  lose: number
  repeat: number
  reorder: number
  forge: number
  timeOutCreates: number
  // The maximum delay of a notification in milliseconds. The delay of each notification is a random time up to this
  // maximum.
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

/** The random failures that are applied to one notification of an order. */
export type Mischief = {
  // True if the notification is never sent, so only a status inquiry shows the order's status.
  lost: boolean
  copies: number
  delayMs: (copy: number) => number
  // An older status. The provider first sends a notification of this status, with a valid signature, and then the
  // notification of the current status. This simulates two notifications that arrive in the wrong order.
  stale?: Status
  forged?: Forgery
}

type Named = Pick<Order, 'customer' | 'reference'>

export function timesOut(chaos: Chaos, order: Named): boolean {
  return happens(chaos.timeOutCreates, () => draw(chaos.seed, order, 'time out create'))
}

export function mischiefOf(chaos: Chaos, order: Order, returned?: MoneyReturn): Mischief {
  // Failures are drawn separately for each status: if the notification of `pending` is lost, the notification of `paid`
  // may still arrive.
  const event = returned ? returnEvent(order, returned) : order.status
  const drawn = (purpose: string) => draw(chaos.seed, order, `${event} ${purpose}`)
  const lost = happens(chaos.lose, () => drawn('lose'))
  // A notification of an older status is sent only if the notification of the current status is sent as well.
  // Otherwise the merchant would never learn that the older status is outdated.
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
 * Identifies a refund or chargeback by its position in the order's list, so that the random decision is the
 * same in every run. Its ID would differ in every run.
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
 * Decides whether a failure occurs. With the probability zero, no hash is computed, because thousands of
 * orders may be created per second.
 */
function happens(probability: number, drawn: () => number): boolean {
  return probability > 0 && drawn() < probability
}

/**
 * Returns a uniformly distributed number in [0, 1) that depends only on the seed, the order and the purpose.
 */
function draw(seed: string, { customer, reference }: Named, purpose: string): number {
  const subject = customer || reference
  // The number is made of 48 bits of the hash, which a double-precision number represents exactly.
  return Number.parseInt(hash('sha256', JSON.stringify([seed, subject, purpose])).slice(0, 12), 16) / 2 ** 48
}
