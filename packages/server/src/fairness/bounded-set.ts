// A set of members, such as connections, with a maximum size. A new member is always added first. If the set
// is then too large, the owner with the most members loses one of them. Owners with few members therefore
// keep their members even if one owner adds a flood of them.

import type { ExceededLimit } from './fair-slots.ts'

/** The member that a set evicts, which may be the new member, and the limit that the new member exceeded. */
export type Eviction<Member> = { member: Member; exceeded: ExceededLimit }

export type BoundedSet<Member> = {
  /** Adds a member to the set. Returns the eviction, if any. */
  add(owner: string, member: Member): Eviction<Member> | undefined
  /** Removes a member from the set. Does nothing if the set no longer contains the member. */
  delete(owner: string, member: Member): void
  members(): Iterable<Member>
  size(): number
}

type Limits = {
  maxSize: number
  /** The maximum number of members that each owner may have. */
  maxPerOwner: number
  /**
   * Which member is evicted from the owner with the most members if the set is too large: the oldest or the
   * newest.
   */
  evicts: 'oldest' | 'newest'
}

export function boundedSet<Member>({ maxSize, maxPerOwner, evicts }: Limits): BoundedSet<Member> {
  const membersOf = new Map<string, Set<Member>>()
  /**
   * Maps each number of members to the owners with exactly this many, so that the owner with the most members is
   * found without a search.
   */
  const owners: Set<string>[] = []
  let largest = 0
  let size = 0

  function move(owner: string, from: number, to: number): void {
    owners[from]?.delete(owner)
    owners[to] ??= new Set()
    if (to > 0) owners[to].add(owner)
    largest = Math.max(largest, to)
    while (largest > 0 && (owners[largest]?.size ?? 0) === 0) largest--
  }

  function remove(owner: string, member: Member): void {
    const members = membersOf.get(owner)
    if (!members?.delete(member)) return
    size--
    move(owner, members.size + 1, members.size)
    if (members.size === 0) membersOf.delete(owner)
  }

  /**
   * Returns the owner that loses a member, which is the owner with the most members. If several owners are tied,
   * the owner that reached this number first loses one. The exception: if the set evicts the newest members and
   * the new member's owner is among the tied owners, the new member's owner loses one.
   */
  function ownerToEvict(newcomer: string): string {
    const equals = owners[largest] as Set<string>
    return evicts === 'newest' && equals.has(newcomer) ? newcomer : (firstOf(equals) as string)
  }

  return {
    add(owner, member) {
      const members = membersOf.get(owner) ?? new Set()
      membersOf.set(owner, members.add(member))
      size++
      move(owner, members.size - 1, members.size)
      if (members.size <= maxPerOwner && size <= maxSize) return undefined
      const exceeded = members.size > maxPerOwner ? 'own' : 'all'
      const evictedOwner = exceeded === 'own' ? owner : ownerToEvict(owner)
      const evicted = memberOf(membersOf.get(evictedOwner) as Set<Member>, evicts)
      remove(evictedOwner, evicted)
      return { member: evicted, exceeded }
    },
    delete: remove,
    *members() {
      for (const members of membersOf.values()) yield* members
    },
    size: () => size,
  }
}

const firstOf = <Each>(set: Set<Each> | undefined): Each | undefined => set?.values().next().value

/** Returns the owner's oldest or newest member. A Set iterates in insertion order. */
function memberOf<Member>(members: Set<Member>, which: 'oldest' | 'newest'): Member {
  if (which === 'oldest') return firstOf(members) as Member
  return [...members].at(-1) as Member
}
