import { describe, expect, test } from 'vitest'
import { newId } from '../id.ts'
import type { Held } from './hold.ts'
import { type Lane, type Lanes, openLanes, PLACES } from './lanes.ts'

const of = (tenantId: string): Held => ({ tenantId, eventId: newId(), heldUntil: new Date() })
const many = (tenantId: string, count: number) => Array.from({ length: count }, () => of(tenantId))

/** Begins all that may begin. */
function beginAll(lanes: Lanes): { lane: Lane; held: Held }[] {
  const begun: { lane: Lane; held: Held }[] = []
  for (let next = lanes.next(); next; next = lanes.next()) begun.push(next)
  return begun
}
const begin = (lanes: Lanes): Lane[] => beginAll(lanes).map(({ lane }) => lane)
const beginEvents = (lanes: Lanes): string[] => beginAll(lanes).map(({ held }) => held.eventId)

/** A tenant whose receiver did not answer the last time. */
function silence(lanes: Lanes, tenantId: string): void {
  lanes.add(of(tenantId))
  const next = lanes.next()
  if (!next) throw new Error('there was a place')
  lanes.answered(next.lane, false)
  lanes.free()
}

describe('a tenant', () => {
  test('has sixteen attempts at a time', () => {
    const lanes = openLanes()
    for (const held of many('a', 40)) expect(lanes.add(held)).toBe(true)
    expect(begin(lanes)).toHaveLength(16)
  })

  test('whose receiver did not answer has two, and sixteen again once it does', () => {
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

  test('that falls silent gives back what waits for it', () => {
    const lanes = openLanes()
    for (const held of many('a', 40)) lanes.add(held)
    const [lane] = begin(lanes) as [Lane]
    expect(lanes.answered(lane, false)).toHaveLength(24)
    expect(begin(lanes)).toEqual([])
  })

  test('with events waiting in the table has new ones take turns with them, a few at a time', () => {
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

  test('with as many new events as there is room for has those of the table taken all the same', () => {
    const lanes = openLanes()
    const fresh = many('a', 40).filter(lanes.add)
    const lane = lanes.laneOf('a')
    lane.hasMore = true
    expect(lanes.wanted(lane)).toBeGreaterThan(16)
    const due = of('a')
    lanes.put(lane, due)
    expect(beginEvents(lanes)).toEqual([due, ...fresh.slice(0, 15)].map(held => held.eventId))
  })

  test('that is silent takes what waits in the table first', () => {
    const lanes = openLanes()
    silence(lanes, 'a')
    lanes.laneOf('a').hasMore = true
    expect(lanes.add(of('a'))).toBe(false)
  })

  test('keeps no more than a bounded number of events in memory', () => {
    const lanes = openLanes()
    expect(many('a', 5_000).filter(lanes.add)).toHaveLength(1_000)
  })
})

test('tenants take turns', () => {
  const lanes = openLanes()
  for (const held of [...many('a', 3), ...many('b', 3)]) lanes.add(held)
  expect(begin(lanes).map(lane => lane.tenantId)).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
})

test('silent tenants together take half of the places, the others all', () => {
  const lanes = openLanes()
  for (let n = 0; n < PLACES; n++) silence(lanes, `silent ${n}`)
  for (let n = 0; n < PLACES; n++) for (const held of many(`silent ${n}`, 2)) lanes.add(held)
  expect(begin(lanes)).toHaveLength(PLACES / 2)
  for (let n = 0; n < PLACES; n++) lanes.add(of(`answering ${n}`))
  expect(begin(lanes)).toHaveLength(PLACES / 2)
})

test('a silent tenant has its turn though others have more than enough to do', () => {
  const lanes = openLanes()
  silence(lanes, 'silent')
  for (let n = 0; n < PLACES; n++) lanes.add(of(`answering ${n}`))
  lanes.add(of('silent'))
  expect(begin(lanes).some(lane => lane.tenantId === 'silent')).toBe(true)
})

test('a place is free again only when what became of the attempt is written down', () => {
  const lanes = openLanes()
  for (let n = 0; n <= PLACES; n++) lanes.add(of(`tenant ${n}`))
  const [lane] = begin(lanes) as [Lane]
  lanes.answered(lane, true)
  expect(begin(lanes)).toEqual([])
  lanes.free()
  expect(begin(lanes)).toHaveLength(1)
})

test('nothing is kept of tenants for which nothing is left to do', () => {
  const lanes = openLanes()
  lanes.add(of('a'))
  const [lane] = begin(lanes) as [Lane]
  lanes.answered(lane, true)
  expect(lanes.laneOf('a')).not.toBe(lane)
})
