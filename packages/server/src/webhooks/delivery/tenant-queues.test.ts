import { describe, expect, test } from 'vitest'
import { newId } from '../../values/id.ts'
import type { Lease } from './lease.ts'
import { SLOTS, type TenantQueue, type TenantQueues, tenantQueues } from './tenant-queues.ts'

const of = (tenantId: string): Lease => ({ tenantId, eventId: newId(), expiresAt: new Date() })
const many = (tenantId: string, count: number) => Array.from({ length: count }, () => of(tenantId))

/** Starts all webhook delivery attempts that can start now, and returns them. */
function startAll(queues: TenantQueues): { queue: TenantQueue; lease: Lease }[] {
  const started: { queue: TenantQueue; lease: Lease }[] = []
  for (let next = queues.next(); next; next = queues.next()) started.push(next)
  return started
}
const start = (queues: TenantQueues): TenantQueue[] => startAll(queues).map(({ queue }) => queue)
const startEvents = (queues: TenantQueues): string[] => startAll(queues).map(({ lease }) => lease.eventId)

/** Makes a tenant's receiver count as unresponsive by reporting a webhook delivery attempt that got no response. */
function makeUnresponsive(queues: TenantQueues, tenantId: string): void {
  queues.addNew(of(tenantId))
  const next = queues.next()
  if (!next) throw new Error('there was a free slot')
  queues.endAttempt(next.queue, false)
  queues.freeSlot()
}

describe("each tenant's webhook events wait in a queue of their own", () => {
  test('a tenant has at most sixteen webhook delivery attempts in flight', () => {
    const queues = tenantQueues()
    for (const lease of many('a', 40)) expect(queues.addNew(lease)).toBe(true)
    expect(start(queues)).toHaveLength(16)
  })

  test('an unresponsive receiver has up to two webhook attempts in flight, a responsive receiver up to sixteen', () => {
    const queues = tenantQueues()
    makeUnresponsive(queues, 'a')
    expect(many('a', 3).map(queues.addNew)).toEqual([true, true, false])
    const [queue] = start(queues) as [TenantQueue]
    expect(queue.inFlight).toBe(2)
    queues.endAttempt(queue, true)
    expect(many('a', 40).every(queues.addNew)).toBe(true)
    start(queues)
    expect(queue.inFlight).toBe(16)
  })

  test("if a tenant’s receiver stops responding, its waiting webhook events leave the process's memory", () => {
    const queues = tenantQueues()
    for (const lease of many('a', 40)) queues.addNew(lease)
    const [queue] = start(queues) as [TenantQueue]
    expect(queues.endAttempt(queue, false)).toHaveLength(24)
    expect(start(queues)).toEqual([])
  })

  test('if a tenant has both new and overdue webhook events, its queue delivers them alternately', () => {
    const queues = tenantQueues()
    const queue = queues.queueOf('a')
    queue.mayHaveDue = true
    const old = many('a', queues.claimLimit(queue))
    for (const lease of old) queues.addDue(queue, lease)
    const fresh = many('a', 40).filter(queues.addNew)
    expect(fresh).toHaveLength(16)
    expect(startEvents(queues)).toEqual(
      [...Array(8).keys()].flatMap(n => [old[n]?.eventId, fresh[n]?.eventId]),
    )
  })

  test("overdue webhook events from the database are accepted even if the tenant's queue is full of new events", () => {
    const queues = tenantQueues()
    const fresh = many('a', 40).filter(queues.addNew)
    const queue = queues.queueOf('a')
    queue.mayHaveDue = true
    expect(queues.claimLimit(queue)).toBeGreaterThan(16)
    const due = of('a')
    queues.addDue(queue, due)
    expect(startEvents(queues)).toEqual([due, ...fresh.slice(0, 15)].map(lease => lease.eventId))
  })

  test("an unresponsive receiver's new events are not queued in memory while the tenant has overdue events", () => {
    const queues = tenantQueues()
    makeUnresponsive(queues, 'a')
    queues.queueOf('a').mayHaveDue = true
    expect(queues.addNew(of('a'))).toBe(false)
  })

  test('at most 1,000 webhook events of a tenant wait in memory', () => {
    const queues = tenantQueues()
    expect(many('a', 5_000).filter(queues.addNew)).toHaveLength(1_000)
  })
})

test('tenants with waiting webhook events are served in round-robin order', () => {
  const queues = tenantQueues()
  for (const lease of [...many('a', 3), ...many('b', 3)]) queues.addNew(lease)
  expect(start(queues).map(queue => queue.tenantId)).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
})

test('all unresponsive receivers together use at most half of the webhook slots', () => {
  const queues = tenantQueues()
  for (let n = 0; n < SLOTS; n++) makeUnresponsive(queues, `unresponsive ${n}`)
  for (let n = 0; n < SLOTS; n++) for (const lease of many(`unresponsive ${n}`, 2)) queues.addNew(lease)
  expect(start(queues)).toHaveLength(SLOTS / 2)
  for (let n = 0; n < SLOTS; n++) queues.addNew(of(`answering ${n}`))
  expect(start(queues)).toHaveLength(SLOTS / 2)
})

test("webhook events for an unresponsive receiver are sent even if other tenants' waiting events could use all delivery slots", () => {
  const queues = tenantQueues()
  makeUnresponsive(queues, 'unresponsive')
  for (let n = 0; n < SLOTS; n++) queues.addNew(of(`answering ${n}`))
  queues.addNew(of('unresponsive'))
  expect(start(queues).some(queue => queue.tenantId === 'unresponsive')).toBe(true)
})

test('neither tenants with an unresponsive receiver nor other tenants get all free webhook slots', () => {
  const queues = tenantQueues()
  const unresponsive = ['unresponsive 1', 'unresponsive 2']
  for (const tenantId of unresponsive) makeUnresponsive(queues, tenantId)
  for (const tenantId of unresponsive) for (const lease of many(tenantId, 2)) queues.addNew(lease)
  for (const lease of many('answering', 8)) queues.addNew(lease)
  const firstEight = start(queues).slice(0, 8)
  expect(firstEight.filter(queue => queue.isUnresponsive)).toHaveLength(4)
  expect(firstEight.slice(0, 4).filter(queue => queue.isUnresponsive)).toHaveLength(2)
})

test('if a receiver becomes unresponsive while its tenant’s webhook events wait, other tenants are not blocked', () => {
  const queues = tenantQueues()
  queues.addNew(of('a'))
  const [queue] = start(queues) as [TenantQueue]
  for (const lease of many('a', 3)) queues.addNew(lease)
  queues.addNew(of('b'))
  expect(queues.endAttempt(queue, false)).toHaveLength(3)
  expect(start(queues).map(each => each.tenantId)).toEqual(['b'])
})

test("after `clear` removes a tenant's waiting webhook events, events of other tenants can be sent", () => {
  const queues = tenantQueues()
  const lease = of('a')
  queues.addNew(lease)
  expect(queues.clear()).toEqual([lease])
  queues.addNew(of('b'))
  expect(start(queues).map(each => each.tenantId)).toEqual(['b'])
})

test("a webhook delivery slot is freed only when its attempt's result is recorded", () => {
  const queues = tenantQueues()
  for (let n = 0; n <= SLOTS; n++) queues.addNew(of(`tenant ${n}`))
  const [queue] = start(queues) as [TenantQueue]
  queues.endAttempt(queue, true)
  expect(start(queues)).toEqual([])
  queues.freeSlot()
  expect(start(queues)).toHaveLength(1)
})

describe('the number of webhook attempts in flight to all unresponsive receivers together is limited', () => {
  /**
   * Returns queues in which unresponsive receivers use more than half of the slots: 35 tenants have 15 webhook delivery
   * attempts in flight each. One more unresponsive tenant has a waiting event.
   */
  function manyUnresponsive() {
    const queues = tenantQueues()
    for (let n = 0; n < SLOTS / 16; n++) for (const lease of many(`tenant ${n}`, 16)) queues.addNew(lease)
    const unresponsive = [...new Set(start(queues))].slice(0, 35)
    for (const queue of unresponsive) {
      queues.endAttempt(queue, false)
      queues.freeSlot()
    }
    makeUnresponsive(queues, 'late')
    queues.addNew(of('late'))
    expect(start(queues)).toEqual([])
    return { queues, queue: unresponsive[0] as TenantQueue }
  }
  const started = (queues: TenantQueues) => start(queues).map(queue => queue.tenantId)

  test('if a receiver stops responding, its webhook attempts in flight count toward the limit for unresponsive receivers', () => {
    const { queues, queue } = manyUnresponsive()
    for (let n = 0; n < 15; n++) queues.endAttempt(queue, undefined)
    expect(started(queues)).toEqual(['late'])
  })

  test('once a receiver responds, its attempts in flight no longer count toward the limit for unresponsive receivers', () => {
    const { queues, queue } = manyUnresponsive()
    queues.endAttempt(queue, true)
    expect(started(queues)).toEqual(['late'])
  })
})

test("a receiver that responds only to some attempts still frees the tenant's delivery slots", () => {
  const queues = tenantQueues()
  for (let round = 0; round < SLOTS; round++) {
    makeUnresponsive(queues, 'a')
    queues.addNew(of('a'))
    const [queue] = start(queues) as [TenantQueue]
    queues.endAttempt(queue, true)
    queues.freeSlot()
  }
  makeUnresponsive(queues, 'a')
  queues.addNew(of('a'))
  expect(start(queues)).toHaveLength(1)
})

test("an attempt that ends before its request is sent does not change the receiver's responsiveness", () => {
  const queues = tenantQueues()
  makeUnresponsive(queues, 'a')
  queues.addNew(of('a'))
  const [unresponsive] = start(queues) as [TenantQueue]
  expect(queues.endAttempt(unresponsive, undefined)).toEqual([])
  expect(unresponsive.isUnresponsive).toBe(true)
  queues.addNew(of('b'))
  const [answering] = start(queues) as [TenantQueue]
  queues.endAttempt(answering, undefined)
  expect(answering.isUnresponsive).toBe(false)
})

test("if an unresponsive receiver stays unresponsive, the tenant's other events stay in the process's queue", () => {
  const queues = tenantQueues()
  makeUnresponsive(queues, 'a')
  for (const lease of many('a', 2)) queues.addNew(lease)
  const first = queues.next()
  if (!first) throw new Error('there was a free slot')
  expect(queues.endAttempt(first.queue, false)).toEqual([])
  expect(start(queues)).toHaveLength(1)
})

test('up to 20,000 webhook events for all tenants together wait in memory, and freed capacity is reused', () => {
  const queues = tenantQueues()
  const addAll = () =>
    Array.from({ length: 21 }, (_, n) => many(`tenant ${n}`, 1_000).filter(queues.addNew).length)
  expect(addAll().reduce((sum, added) => sum + added)).toBe(20_000)
  const started = start(queues).length
  expect(started).toBe(20 * 16)
  expect(addAll().reduce((sum, added) => sum + added)).toBe(started)
  expect(queues.endAttempt(queues.queueOf('tenant 0'), false)).toHaveLength(1_000)
  expect(many('tenant 20', 1_000).filter(queues.addNew)).toHaveLength(1_000)
  expect(queues.addNew(of('tenant 21'))).toBe(false)
})

test('removing all waiting webhook events from memory frees their capacity for other events', () => {
  const queues = tenantQueues()
  const lease = many('a', 3)
  for (const each of lease) queues.addNew(each)
  const due = of('a')
  const queue = queues.queueOf('a')
  queues.addDue(queue, due)
  expect(queues.clear()).toEqual([due, ...lease])
  expect(queues.next()).toBeUndefined()
  expect(queues.clear()).toEqual([])
  expect(queues.queueOf('a')).not.toBe(queue)
})

test.each([
  ['an idle tenant', 0, 0, 32],
  ['a tenant with attempts in flight', 4, 0, 28],
  ['a tenant with waiting events from the table', 0, 5, 27],
  ['a tenant with all its attempts in flight', 16, 0, 0],
])(
  'if the database has due webhook events, %s claims as many as it can send now plus sixteen, or none if it can send none now',
  (_, underWay, due, limit) => {
    const queues = tenantQueues()
    const queue = queues.queueOf('a')
    queue.mayHaveDue = true
    for (const lease of many('a', underWay)) queues.addDue(queue, lease)
    expect(start(queues)).toHaveLength(underWay)
    for (const lease of many('a', due)) queues.addDue(queue, lease)
    expect(queues.claimLimit(queue)).toBe(limit)
  },
)

test('at most two due events of a tenant with an unresponsive receiver are read at a time', () => {
  const queues = tenantQueues()
  makeUnresponsive(queues, 'a')
  const queue = queues.queueOf('a')
  expect(queues.claimLimit(queue)).toBe(2)
  queues.addNew(of('a'))
  expect(queues.claimLimit(queue)).toBe(1)
  queues.addDue(queue, of('a'))
  expect(queues.claimLimit(queue)).toBe(0)
  expect(queues.addNew(of('a'))).toBe(false)
  start(queues)
  expect(queues.claimLimit(queue)).toBe(0)
  expect(queues.addNew(of('a'))).toBe(false)
})

test("a tenant's queue is removed from memory once all its webhook events have been sent", () => {
  const queues = tenantQueues()
  queues.addNew(of('a'))
  const [queue] = start(queues) as [TenantQueue]
  queues.endAttempt(queue, true)
  expect(queues.queueOf('a')).not.toBe(queue)
})

test("a tenant's queue is removed from memory if no webhook events were found in the database", () => {
  const queues = tenantQueues()
  const queue = queues.queueOf('a')
  queue.isClaiming = true
  queues.endClaim(queue)
  expect(queue.isClaiming).toBe(false)
  expect(queues.queueOf('a')).not.toBe(queue)
})

test("while a tenant's due webhook events are being read from the database, the tenant's queue accepts only 16 new events", () => {
  const queues = tenantQueues()
  const queue = queues.queueOf('a')
  queue.isClaiming = true
  expect(many('a', 40).filter(queues.addNew)).toHaveLength(16)
  queues.endClaim(queue)
  expect(many('a', 40).every(queues.addNew)).toBe(true)
})

test('free webhook slots alternate between tenants with unresponsive receivers and all other tenants', () => {
  const queues = tenantQueues()
  for (const tenant of ['a', 'b']) makeUnresponsive(queues, tenant)
  for (const tenant of ['a', 'b', 'c', 'd']) for (const lease of many(tenant, 2)) queues.addNew(lease)
  expect(start(queues).map(({ tenantId }) => tenantId)).toEqual(['a', 'c', 'b', 'd', 'a', 'c', 'b', 'd'])
})

test('the waiting events of a tenant whose receiver becomes unresponsive are removed from memory', () => {
  const queues = tenantQueues()
  queues.addNew(of('a'))
  const [queue] = start(queues) as [TenantQueue]
  queues.addNew(of('a'))
  expect(queues.endAttempt(queue, false)).toHaveLength(1)
  queues.addNew(of('b'))
  expect(start(queues)).toHaveLength(1)
})

test("after a tenant's waiting webhook events are removed from memory, webhook events of other tenants are still sent", () => {
  const queues = tenantQueues()
  queues.addNew(of('a'))
  queues.clear()
  queues.addNew(of('b'))
  expect(start(queues)).toHaveLength(1)
})
