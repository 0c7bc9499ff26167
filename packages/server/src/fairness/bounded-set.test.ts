import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundedSet } from './bounded-set.ts'

test('a tenant that exceeds its own limit in a bounded set loses its oldest member', () => {
  const { add, size } = boundedSet<number>({ maxSize: 10, maxPerOwner: 2, evicts: 'oldest' })
  expect([add('a', 1), add('a', 2), add('b', 3)]).toEqual([undefined, undefined, undefined])
  expect(add('a', 4)).toEqual({ member: 1, exceeded: 'own' })
  expect(size()).toBe(3)
})

test('a set above its maximum size evicts a member of the owner with the most members', () => {
  const { add } = boundedSet<string>({ maxSize: 3, maxPerOwner: 3, evicts: 'newest' })
  for (const member of ['a1', 'a2', 'a3']) add('a', member)
  expect(add('b', 'b1')).toEqual({ member: 'a3', exceeded: 'all' })
  expect(add('a', 'a4')).toEqual({ member: 'a4', exceeded: 'all' })
})

test('a full set that evicts its newest members evicts a new member if all owners are equal', () => {
  const { add } = boundedSet<string>({ maxSize: 2, maxPerOwner: 2, evicts: 'newest' })
  add('a', 'a1')
  add('b', 'b1')
  expect(add('c', 'c1')).toEqual({ member: 'c1', exceeded: 'all' })
})

test('in a full bounded set, an owner (such as a tenant) below its fair share loses no member', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('oldest' as const, 'newest' as const),
      fc.array(fc.tuple(fc.nat(5), fc.boolean()), { maxLength: 400 }),
      (evicts, steps) => {
        const [most, others] = [24, 6]
        const share = Math.floor(most / (others + 1)) - 1
        const all = boundedSet<string>({ maxSize: most, maxPerOwner: most, evicts })
        const mine: string[] = []
        let n = 0
        for (const [other, isMine] of steps) {
          const member = `${n++}`
          if (!isMine) expect(mine).not.toContain(all.add(`other ${other}`, member)?.member)
          else if (mine.length < share) {
            mine.push(member)
            expect(mine).not.toContain(all.add('me', member)?.member)
          } else all.delete('me', mine.shift() as string)
          expect(all.size()).toBeLessThanOrEqual(most)
          expect([...all.members()]).toHaveLength(all.size())
        }
      },
    ),
  )
})
