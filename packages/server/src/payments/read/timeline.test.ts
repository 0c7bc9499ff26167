import fc from 'fast-check'
import { expect, test } from 'vitest'
import { later, now } from '../../../test/support/make-payment.ts'
import { internalStatuses, type Status, shownStatuses } from '../payment.ts'
import { timelineOf } from './timeline.ts'

const change = (from: Status, to: Status, at = later(1_000), cause = 'inquiry') => ({
  at,
  from,
  to,
  cause,
  detail: null,
})
const created = { at: now.toISOString(), from: null, to: 'pending', cause: 'create', detail: null }

test("a payment's timeline omits all events before a provider accepted the payment", () => {
  const before = [
    change('charging', 'unknown'),
    change('unknown', 'uncharged'),
    change('uncharged', 'charging'),
  ]
  expect(timelineOf({ createdAt: now }, [...before, change('charging', 'pending')])).toEqual([created])
})

test("if money is received before the charge response, the payment's timeline still begins with its creation", () => {
  const entry = {
    at: later(1_000).toISOString(),
    from: 'pending',
    to: 'paid',
    cause: 'callback',
    detail: null,
  }
  expect(timelineOf({ createdAt: now }, [change('charging', 'paid', later(1_000), 'callback')])).toEqual([
    created,
    entry,
  ])
})

test("each entry in a payment's timeline begins with the status in which the previous entry ended", () => {
  const internal = fc.array(fc.constantFrom<Status>(...internalStatuses))
  const shown = fc.array(fc.constantFrom<Status>(...shownStatuses))
  fc.assert(
    fc.property(internal, shown, (before, after) => {
      const path = [...before, ...after]
      const steps = path.map((to, index) => change(path[index - 1] ?? 'charging', to))
      const entries = timelineOf({ createdAt: now }, steps)
      expect(entries[0]).toEqual(created)
      for (const [index, { from, to }] of entries.slice(1).entries()) {
        expect(from).toBe(entries[index]?.to)
        expect(shownStatuses).toContain(to)
      }
    }),
  )
})

test('the timeline of a paid payment leaves out charge attempts that no provider accepted', () => {
  const reversal = { ...change('paid', 'paid', later(9_000), 'callback'), detail: 'provider reported deny' }
  const entries = timelineOf({ createdAt: now }, [
    change('charging', 'charging', later(10), 'failover'),
    change('charging', 'paid', later(1_000), 'callback'),
    reversal,
  ])
  expect(entries.map(({ from, to }) => `${from} ${to}`)).toEqual([
    'null pending',
    'pending paid',
    'paid paid',
  ])
  expect(entries[2]?.detail).toBe('provider reported deny')
})
