import { describe, expect, test } from 'vitest'
import { newId } from '../../values/id.ts'
import type { Held } from './hold.ts'
import { type Lane, type Lanes, openLanes, PLACES } from './lanes.ts'

const of = (tenantId: string): Held => ({ tenantId, eventId: newId(), heldUntil: new Date() })
const many = (tenantId: string, count: number) => Array.from({ length: count }, () => of(tenantId))

/** Starts and returns all attempts that may start now. */
function beginAll(lanes: Lanes): { lane: Lane; held: Held }[] {
  const begun: { lane: Lane; held: Held }[] = []
  for (let next = lanes.next(); next; next = lanes.next()) begun.push(next)
  return begun
}
const begin = (lanes: Lanes): Lane[] => beginAll(lanes).map(({ lane }) => lane)
const beginEvents = (lanes: Lanes): string[] => beginAll(lanes).map(({ held }) => held.eventId)

/** Makes a tenant silent: its receiver did not respond to the last attempt. */
function silence(lanes: Lanes, tenantId: string): void {
  lanes.add(of(tenantId))
  const next = lanes.next()
  if (!next) throw new Error('there was a place')
  lanes.answered(next.lane, false)
  lanes.free()
}

describe('a tenant with webhook events', () => {
  test('has up to sixteen delivery attempts in flight', () => {
    const lanes = openLanes()
    for (const held of many('a', 40)) expect(lanes.add(held)).toBe(true)
    expect(begin(lanes)).toHaveLength(16)
  })

  test('has up to two attempts in flight after its receiver did not respond, and sixteen again once it responds', () => {
    const lanes = openLanes()
    silence(lanes, 'a')
    expect(many('a', 3).map(lanes.add)).toEqual([true, true, false])
    const [lane] = begin(lanes) as [Lane]
    expect(lane.underWay).toBe(2)
    lanes.answered(lane, true)
    expect(many('a', 40).every(lanes.add)).toBe(true)
    begin(lanes)
    expect(lane.underWay).toBe(16)
  })

  test('releases its waiting events when its receiver becomes silent', () => {
    const lanes = openLanes()
    for (const held of many('a', 40)) lanes.add(held)
    const [lane] = begin(lanes) as [Lane]
    expect(lanes.answered(lane, false)).toHaveLength(24)
    expect(begin(lanes)).toEqual([])
  })

  test('alternates overdue events from the table with new events, a few at a time', () => {
    const lanes = openLanes()
    const lane = lanes.laneOf('a')
    lane.hasMore = true
    const old = many('a', lanes.wanted(lane))
    for (const held of old) lanes.put(lane, held)
    const fresh = many('a', 40).filter(lanes.add)
    expect(fresh).toHaveLength(16)
    expect(beginEvents(lanes)).toEqual(
      [...Array(8).keys()].flatMap(n => [old[n]?.eventId, fresh[n]?.eventId]),
    )
  })

  test('still takes events from the table when it has as many new events as fit in memory', () => {
    const lanes = openLanes()
    const fresh = many('a', 40).filter(lanes.add)
    const lane = lanes.laneOf('a')
    lane.hasMore = true
    expect(lanes.wanted(lane)).toBeGreaterThan(16)
    const due = of('a')
    lanes.put(lane, due)
    expect(beginEvents(lanes)).toEqual([due, ...fresh.slice(0, 15)].map(held => held.eventId))
  })

  test('whose receiver is silent takes waiting events from the table before new events', () => {
    const lanes = openLanes()
    silence(lanes, 'a')
    lanes.laneOf('a').hasMore = true
    expect(lanes.add(of('a'))).toBe(false)
  })

  test('keeps a limited number of events in memory', () => {
    const lanes = openLanes()
    expect(many('a', 5_000).filter(lanes.add)).toHaveLength(1_000)
  })
})

test('tenants with waiting webhook events are served in turn', () => {
  const lanes = openLanes()
  for (const held of [...many('a', 3), ...many('b', 3)]) lanes.add(held)
  expect(begin(lanes).map(lane => lane.tenantId)).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
})

test('tenants with a silent receiver together use half of the delivery slots, and other tenants can use all slots', () => {
  const lanes = openLanes()
  for (let n = 0; n < PLACES; n++) silence(lanes, `silent ${n}`)
  for (let n = 0; n < PLACES; n++) for (const held of many(`silent ${n}`, 2)) lanes.add(held)
  expect(begin(lanes)).toHaveLength(PLACES / 2)
  for (let n = 0; n < PLACES; n++) lanes.add(of(`answering ${n}`))
  expect(begin(lanes)).toHaveLength(PLACES / 2)
})

test('a tenant with a silent receiver is served in turn even if other tenants always have events', () => {
  const lanes = openLanes()
  silence(lanes, 'silent')
  for (let n = 0; n < PLACES; n++) lanes.add(of(`answering ${n}`))
  lanes.add(of('silent'))
  expect(begin(lanes).some(lane => lane.tenantId === 'silent')).toBe(true)
})

test('tenants with a silent receiver and other tenants get alternate delivery slots', () => {
  const lanes = openLanes()
  const silent = ['silent 1', 'silent 2']
  for (const tenantId of silent) silence(lanes, tenantId)
  for (const tenantId of silent) for (const held of many(tenantId, 2)) lanes.add(held)
  for (const held of many('answering', 8)) lanes.add(held)
  const firstEight = begin(lanes).slice(0, 8)
  expect(firstEight.filter(lane => lane.isSilent)).toHaveLength(4)
  expect(firstEight.slice(0, 4).filter(lane => lane.isSilent)).toHaveLength(2)
})

test('a tenant whose receiver becomes silent while events wait does not block other tenants', () => {
  const lanes = openLanes()
  lanes.add(of('a'))
  const [lane] = begin(lanes) as [Lane]
  for (const held of many('a', 3)) lanes.add(held)
  lanes.add(of('b'))
  expect(lanes.answered(lane, false)).toHaveLength(3)
  expect(begin(lanes).map(each => each.tenantId)).toEqual(['b'])
})

test('a tenant whose waiting events were cleared does not block other tenants', () => {
  const lanes = openLanes()
  const held = of('a')
  lanes.add(held)
  expect(lanes.clear()).toEqual([held])
  lanes.add(of('b'))
  expect(begin(lanes).map(each => each.tenantId)).toEqual(['b'])
})

test('a delivery slot is free again only when the result of the attempt is recorded', () => {
  const lanes = openLanes()
  for (let n = 0; n <= PLACES; n++) lanes.add(of(`tenant ${n}`))
  const [lane] = begin(lanes) as [Lane]
  lanes.answered(lane, true)
  expect(begin(lanes)).toEqual([])
  lanes.free()
  expect(begin(lanes)).toHaveLength(1)
})

describe('delivery attempts in flight at receivers that became silent', () => {
  /**
   * Returns lanes of which 35 are silent, with 15 attempts each, which are more than half of the slots. Another silent
   * tenant has one event.
   */
  function crowded() {
    const lanes = openLanes()
    for (let n = 0; n < PLACES / 16; n++) for (const held of many(`tenant ${n}`, 16)) lanes.add(held)
    const silent = [...new Set(begin(lanes))].slice(0, 35)
    for (const lane of silent) {
      lanes.answered(lane, false)
      lanes.free()
    }
    silence(lanes, 'late')
    lanes.add(of('late'))
    expect(begin(lanes)).toEqual([])
    return { lanes, lane: silent[0] as Lane }
  }
  const begun = (lanes: Lanes) => begin(lanes).map(lane => lane.tenantId)

  test('count as attempts at silent receivers until they end', () => {
    const { lanes, lane } = crowded()
    for (let n = 0; n < 15; n++) lanes.answered(lane, undefined)
    expect(begun(lanes)).toEqual(['late'])
  })

  test('no longer count as attempts at silent receivers once the receiver responds', () => {
    const { lanes, lane } = crowded()
    lanes.answered(lane, true)
    expect(begun(lanes)).toEqual(['late'])
  })
})

test('a tenant whose receiver repeatedly becomes silent and responds again frees its delivery slots', () => {
  const lanes = openLanes()
  for (let round = 0; round < PLACES; round++) {
    silence(lanes, 'a')
    lanes.add(of('a'))
    const [lane] = begin(lanes) as [Lane]
    lanes.answered(lane, true)
    lanes.free()
  }
  silence(lanes, 'a')
  lanes.add(of('a'))
  expect(begin(lanes)).toHaveLength(1)
})

test("a cancelled delivery attempt does not change whether the tenant's receiver counts as silent", () => {
  const lanes = openLanes()
  silence(lanes, 'a')
  lanes.add(of('a'))
  const [silent] = begin(lanes) as [Lane]
  expect(lanes.answered(silent, undefined)).toEqual([])
  expect(silent.isSilent).toBe(true)
  lanes.add(of('b'))
  const [answering] = begin(lanes) as [Lane]
  lanes.answered(answering, undefined)
  expect(answering.isSilent).toBe(false)
})

test('a tenant whose receiver stays silent keeps its waiting events', () => {
  const lanes = openLanes()
  silence(lanes, 'a')
  for (const held of many('a', 2)) lanes.add(held)
  const first = lanes.next()
  if (!first) throw new Error('there was a place')
  expect(lanes.answered(first.lane, false)).toEqual([])
  expect(begin(lanes)).toHaveLength(1)
})

test('all tenants together keep up to 20,000 events in memory, and freed capacity is used again', () => {
  const lanes = openLanes()
  const addAll = () =>
    Array.from({ length: 21 }, (_, n) => many(`tenant ${n}`, 1_000).filter(lanes.add).length)
  expect(addAll().reduce((sum, added) => sum + added)).toBe(20_000)
  const begun = begin(lanes).length
  expect(begun).toBe(20 * 16)
  expect(addAll().reduce((sum, added) => sum + added)).toBe(begun)
  expect(lanes.answered(lanes.laneOf('tenant 0'), false)).toHaveLength(1_000)
  expect(many('tenant 20', 1_000).filter(lanes.add)).toHaveLength(1_000)
  expect(lanes.add(of('tenant 21'))).toBe(false)
})

test('all waiting events can be removed from memory, which frees their capacity', () => {
  const lanes = openLanes()
  const held = many('a', 3)
  for (const each of held) lanes.add(each)
  const due = of('a')
  const lane = lanes.laneOf('a')
  lanes.put(lane, due)
  expect(lanes.clear()).toEqual([due, ...held])
  expect(lanes.next()).toBeUndefined()
  expect(lanes.clear()).toEqual([])
  expect(lanes.laneOf('a')).not.toBe(lane)
})

test.each([
  ['an idle tenant', 0, 0, 32],
  ['a tenant with attempts in flight', 4, 0, 28],
  ['a tenant with waiting events from the table', 0, 5, 27],
  ['a tenant with all its attempts in flight', 16, 0, 0],
])('%s takes as many events from the table as it can start, and a few more', (_, underWay, due, wanted) => {
  const lanes = openLanes()
  const lane = lanes.laneOf('a')
  lane.hasMore = true
  for (const held of many('a', underWay)) lanes.put(lane, held)
  expect(begin(lanes)).toHaveLength(underWay)
  for (const held of many('a', due)) lanes.put(lane, held)
  expect(lanes.wanted(lane)).toBe(wanted)
})

test('a tenant with a silent receiver takes at most two events from the table, however many are waiting', () => {
  const lanes = openLanes()
  silence(lanes, 'a')
  const lane = lanes.laneOf('a')
  expect(lanes.wanted(lane)).toBe(2)
  lanes.add(of('a'))
  expect(lanes.wanted(lane)).toBe(1)
  lanes.put(lane, of('a'))
  expect(lanes.wanted(lane)).toBe(0)
  expect(lanes.add(of('a'))).toBe(false)
  begin(lanes)
  expect(lanes.wanted(lane)).toBe(0)
  expect(lanes.add(of('a'))).toBe(false)
})

test('a tenant without events uses no memory', () => {
  const lanes = openLanes()
  lanes.add(of('a'))
  const [lane] = begin(lanes) as [Lane]
  lanes.answered(lane, true)
  expect(lanes.laneOf('a')).not.toBe(lane)
})

test('a tenant uses no memory after a query that found no events', () => {
  const lanes = openLanes()
  const lane = lanes.laneOf('a')
  lane.isLooking = true
  lanes.looked(lane)
  expect(lane.isLooking).toBe(false)
  expect(lanes.laneOf('a')).not.toBe(lane)
})

test('a tenant whose due events are being read accepts only a few new events', () => {
  const lanes = openLanes()
  const lane = lanes.laneOf('a')
  lane.isLooking = true
  expect(many('a', 40).filter(lanes.add)).toHaveLength(16)
  lanes.looked(lane)
  expect(many('a', 40).every(lanes.add)).toBe(true)
})

test('tenants with silent receivers are served in turn among themselves, alternating with other tenants', () => {
  const lanes = openLanes()
  for (const tenant of ['a', 'b']) silence(lanes, tenant)
  for (const tenant of ['a', 'b', 'c', 'd']) for (const held of many(tenant, 2)) lanes.add(held)
  expect(begin(lanes).map(({ tenantId }) => tenantId)).toEqual(['a', 'c', 'b', 'd', 'a', 'c', 'b', 'd'])
})

test('a tenant whose waiting events were released does not block other tenants', () => {
  const lanes = openLanes()
  lanes.add(of('a'))
  const [lane] = begin(lanes) as [Lane]
  lanes.add(of('a'))
  expect(lanes.answered(lane, false)).toHaveLength(1)
  lanes.add(of('b'))
  expect(begin(lanes)).toHaveLength(1)
})

test('a tenant whose waiting events were removed does not block other tenants', () => {
  const lanes = openLanes()
  lanes.add(of('a'))
  lanes.clear()
  lanes.add(of('b'))
  expect(begin(lanes)).toHaveLength(1)
})
