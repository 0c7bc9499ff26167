// Members that wait, such as connections and requests whose body has not arrived: a newcomer is always let in, and where
// there are too many, one member of the owner that has the most has to leave. So an owner that has fewer than the others
// loses none, however many the others bring.

export type Crowd<Member> = {
  /** Returns the member that has to leave, which may be the newcomer. */
  enter(owner: string, member: Member): Member | undefined
  /** Does nothing for one that has left. */
  leave(owner: string, member: Member): void
  members(): Iterable<Member>
  size(): number
}

type Sizes = {
  most: number
  /** Of one owner. */
  own: number
  /** Which of an owner's members leaves. */
  leaves: 'oldest' | 'newest'
}

export function crowd<Member>({ most, own, leaves }: Sizes): Crowd<Member> {
  const membersOf = new Map<string, Set<Member>>()
  /** Owners by how many members they have: the index is the number. Finding the largest takes no search. */
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

  /** Of several largest owners, the one whose newest member is the newcomer loses it; or else the one that grew first. */
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

/** Sets keep the order in which members came. */
function memberOf<Member>(members: Set<Member>, which: 'oldest' | 'newest'): Member {
  if (which === 'oldest') return firstOf(members) as Member
  return [...members].at(-1) as Member
}
