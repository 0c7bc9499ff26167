// A bounded set of waiting members, such as connections or requests whose body has not been received. A newcomer is
// always admitted; if the set is then too large, the owner with the most members loses one. So an owner with fewer
// members than the others loses none, however many the others add.

export type Crowd<Member> = {
  /** Returns the evicted member, if any; it may be the newcomer. */
  enter(owner: string, member: Member): Member | undefined
  /** Does nothing if the member has already left. */
  leave(owner: string, member: Member): void
  members(): Iterable<Member>
  size(): number
}

type Sizes = {
  most: number
  /** Maximum number of members per owner. */
  own: number
  /** Which of the owner's members is evicted. */
  leaves: 'oldest' | 'newest'
}

export function crowd<Member>({ most, own, leaves }: Sizes): Crowd<Member> {
  const membersOf = new Map<string, Set<Member>>()
  /** Owners indexed by their number of members, so that the largest is found without a search. */
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

  function leave(owner: string, member: Member): void {
    const members = membersOf.get(owner)
    if (!members?.delete(member)) return
    size--
    move(owner, members.size + 1, members.size)
    if (members.size === 0) membersOf.delete(owner)
  }

  /**
   * Among equally large owners: the newcomer's, if newest members are evicted; otherwise the one that reached this
   * size first.
   */
  function largestBeside(newcomer: string): string {
    const equals = owners[largest] as Set<string>
    return leaves === 'newest' && equals.has(newcomer) ? newcomer : (firstOf(equals) as string)
  }

  return {
    enter(owner, member) {
      const members = membersOf.get(owner) ?? new Set()
      membersOf.set(owner, members.add(member))
      size++
      move(owner, members.size - 1, members.size)
      if (members.size <= own && size <= most) return undefined
      const crowding = members.size > own ? owner : largestBeside(owner)
      const leaving = memberOf(membersOf.get(crowding) as Set<Member>, leaves)
      leave(crowding, leaving)
      return leaving
    },
    leave,
    *members() {
      for (const members of membersOf.values()) yield* members
    },
    size: () => size,
  }
}

const firstOf = <Each>(set: Set<Each> | undefined): Each | undefined => set?.values().next().value

/** A Set iterates in insertion order. */
function memberOf<Member>(members: Set<Member>, which: 'oldest' | 'newest'): Member {
  if (which === 'oldest') return firstOf(members) as Member
  return [...members].at(-1) as Member
}
