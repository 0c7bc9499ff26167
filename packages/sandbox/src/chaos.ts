import { hash } from 'node:crypto'
import type { MoneyReturn } from './money-return.ts'
import type { Order, Status } from './order.ts'

// A provider on a bad day, the same bad day for the same seed. Every decision is drawn from the seed, the
// customer's name (the order's reference where there is none) and what is to be decided, never from a running
// generator: which request comes first must not change what happens to any of them. The name, since a test can
// choose it, while the service makes up its references.

export type Chaos = {
  seed: string
  // Probabilities, 0 to 1.
  lose: number
  repeat: number
  reorder: number
  forge: number
  timeOutCreates: number
  // Each notification waits for a random part of this.
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

/** How the report of one order goes out. */
export type Mischief = {
  // Never sent and never tried again: only an inquiry finds out.
  lost: boolean
  copies: number
  delayMs: (copy: number) => number
  // A signed report that was overtaken: sent before the one that supersedes it.
  stale?: Status
  forged?: Forgery
}

type Named = Pick<Order, 'customer' | 'reference'>

export function timesOut(chaos: Chaos, order: Named): boolean {
  return happens(chaos.timeOutCreates, () => draw(chaos.seed, order, 'time out create'))
}

export function mischiefOf(chaos: Chaos, order: Order, returned?: MoneyReturn): Mischief {
  // Each status an order is reported in has fates of its own: a lost `pending` does not mean a lost `paid`.
  const event = returned ? returnEvent(order, returned) : order.status
  const drawn = (purpose: string) => draw(chaos.seed, order, `${event} ${purpose}`)
  const lost = happens(chaos.lose, () => drawn('lose'))
  // What overtakes must arrive: an expiry that nothing supersedes would be a lie that is signed.
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

/** Its place in the list, since its identifier is another one in every run. */
function returnEvent({ returns }: Order, { id, kind, status }: MoneyReturn): string {
  return `${kind} ${returns.findIndex(each => each.id === id)} ${status}`
}

/**
 * Only what may once have been true: any order was pending, and one that was paid may have expired before the
 * money came. An order that is still open never did.
 */
function staleBefore(status: Status, drawn: number): Status | undefined {
  if (status === 'pending') return undefined
  return status === 'paid' && drawn < 0.5 ? 'expired' : 'pending'
}

/** A quiet day draws nothing: orders are created by the thousand a second. */
function happens(probability: number, drawn: () => number): boolean {
  return probability > 0 && drawn() < probability
}

/** Evenly in [0, 1). */
function draw(seed: string, { customer, reference }: Named, purpose: string): number {
  const subject = customer || reference
  // 48 bits: a double holds them exactly.
  return Number.parseInt(hash('sha256', JSON.stringify([seed, subject, purpose])).slice(0, 12), 16) / 2 ** 48
}
