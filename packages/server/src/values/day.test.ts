import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { day, dayOf, daysOf, moment, periodBetween, periodOfDays } from './day.ts'

describe('days start and end in Jakarta time', () => {
  test('a day in Jakarta time starts at midnight in Jakarta, seven hours before midnight UTC', () => {
    expect(periodOfDays('2026-11-20', '2026-11-20')).toEqual({
      from: new Date('2026-11-19T17:00:00.000Z'),
      before: new Date('2026-11-20T17:00:00.000Z'),
    })
    expect(dayOf(new Date('2026-11-20T16:59:59.999Z'))).toBe('2026-11-20')
    expect(dayOf(new Date('2026-11-20T17:00:00.000Z'))).toBe('2026-11-21')
  })

  test('a day is rejected if it is not in the calendar or outside the years 1 to 9999', () => {
    expect(['0001-01-01', '9999-12-31'].map(text => day.safeParse(text).success)).toEqual([true, true])
    expect(['0000-01-01', '2026-02-30', '10000-01-01'].map(text => day.safeParse(text).success)).toEqual([
      false,
      false,
      false,
    ])
  })

  test('every point in time falls in exactly one Jakarta day', () => {
    const moments = fc.date({
      min: new Date('1970-01-02T00:00:00Z'),
      max: new Date('2999-01-01T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(moments, moments, (at, other) => {
        const { from, before } = periodOfDays(dayOf(at), dayOf(at))
        expect(from <= at && at < before).toBe(true)
        expect(from <= other && other < before).toBe(dayOf(other) === dayOf(at))
        expect(daysOf({ from, before })).toBe(1)
      }),
    )
  })
})

describe('a report can be requested for a range of days or for a range of times', () => {
  test('a range includes its first and last day or time', () => {
    expect(daysOf(periodBetween('2026-02-27', '2026-03-01'))).toBe(3)
    expect(periodBetween('2026-11-20T03:04:05Z', '2026-11-20T10:04:05+07:00')).toEqual({
      from: new Date('2026-11-20T03:04:05.000Z'),
      before: new Date('2026-11-20T03:04:05.001Z'),
    })
  })

  test.each(['', 'today', '2026-02-30', '20261120', '2026-11-20T03:04:05', '2026-11-20 03:04:05Z', '1'])(
    'a report rejects the invalid start or end time %j of its period',
    text => expect(moment.safeParse(text).success).toBe(false),
  )
})
