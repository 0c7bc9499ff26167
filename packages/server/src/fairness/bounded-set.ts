// A set with a maximum size, for example of connections. Each member belongs to an owner. If a new member makes the set
// too large, the owner with the most members loses a member. Owners with few members therefore keep their members, even
// if another owner adds a flood of members.

import type { ExceededLimit } from './fair-slots.ts'

/**
 * The member that the set evicted because adding a member exceeded a limit, and this limit. The evicted
 * member can be the added one itself.
 */
export type Eviction<Member> = { member: Member; exceeded: ExceededLimit }

export type BoundedSet<Member> = {
  /**
   * Adds a member to the set. If a limit is then exceeded, evicts a member, which can be the new one, and
   * returns the eviction.
   */
  add(owner: string, member: Member): Eviction<Member> | undefined
  /** Removes a member from the set. Does nothing if the set no longer contains the member. */
  delete(owner: string, member: Member): void
  members(): Iterable<Member>
  size(): number
}

type Limits = {
  maxSize: number
  /** The maximum number of members of the set that belong to the same owner, such as a tenant. */
  maxPerOwner: number
  /**
   * Which member is removed if the set exceeds `maxSize`: the oldest or the newest member of the owner with
   * the most members.
   */
  evicts: 'oldest' | 'newest'
}

export function boundedSet<Member>({ maxSize, maxPerOwner, evicts }: Limits): BoundedSet<Member> {
  const membersOf = new Map<string, Set<Member>>()
  /**
   * `owners[n]` contains the owners that have exactly n members in the set, so the owner with the most members is
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
   * Returns the owner that loses a member: the owner with the most members. Among several such owners, returns the
   * owner that reached this number first. If the set evicts the newest members and the new member's owner is among
   * these owners, returns the new member's owner instead.
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

/**
 * Returns an owner's oldest or newest member. A Set iterates in insertion order, so its first member is the
 * oldest.
 */
function memberOf<Member>(members: Set<Member>, which: 'oldest' | 'newest'): Member {
  if (which === 'oldest') return firstOf(members) as Member
  return [...members].at(-1) as Member
}
