import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crowd } from './bounded-set.ts'

test('if an owner exceeds its own limit, its oldest member is evicted', () => {
  const { enter, size } = crowd<number>({ most: 10, own: 2, leaves: 'oldest' })
  expect([enter('a', 1), enter('a', 2), enter('b', 3), enter('a', 4)]).toEqual([
    undefined,
    undefined,
    undefined,
    1,
  ])
  expect(size()).toBe(3)
})

test('if all owners together exceed the total limit, a member of the largest owner is evicted', () => {
  const { enter } = crowd<string>({ most: 3, own: 3, leaves: 'newest' })
  for (const member of ['a1', 'a2', 'a3']) enter('a', member)
  expect(enter('b', 'b1')).toBe('a3')
  expect(enter('a', 'a4')).toBe('a4')
})

test('among equally large owners the newest member is evicted', () => {
  const { enter } = crowd<string>({ most: 2, own: 2, leaves: 'newest' })
  enter('a', 'a1')
  enter('b', 'b1')
  expect(enter('c', 'c1')).toBe('c1')
})

test('an owner that stays below its share never loses a member, however many members other owners add', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('oldest' as const, 'newest' as const),
      fc.array(fc.tuple(fc.nat(5), fc.boolean()), { maxLength: 400 }),
      (leaves, steps) => {
        const [most, others] = [24, 6]
        const share = Math.floor(most / (others + 1)) - 1
        const all = crowd<string>({ most, own: most, leaves })
        const mine: string[] = []
        let n = 0
        for (const [other, isMine] of steps) {
          const member = `${n++}`
          if (!isMine) expect(mine).not.toContain(all.enter(`other ${other}`, member))
          else if (mine.length < share) {
            mine.push(member)
            expect(mine).not.toContain(all.enter('me', member))
          } else all.leave('me', mine.shift() as string)
          expect(all.size()).toBeLessThanOrEqual(most)
          expect([...all.members()]).toHaveLength(all.size())
        }
      },
    ),
  )
})
