// What several do side by side, one at a time: each works on alone, and the others wait.

/** Waits until everyone else waits too, or has ended; then runs. */
export type Turn = <T>(run: () => Promise<T>) => Promise<T>

/**
 * Runs `work` for each participant; what they do within `turn` comes alternately. A turn begins when nobody does
 * anything outside of one either. Where one fails, the others' next turn fails too; throws the first failure after all
 * have ended.
 */
export async function takingTurns<Participant, T>(
  participants: Participant[],
  work: (participant: Participant, turn: Turn) => Promise<T>,
): Promise<T[]> {
  const present = new Set(participants)
  // In the order in which they came, so that who just had a turn is last.
  const waiting = new Map<Participant, PromiseWithResolvers<void>>()
  const failures: unknown[] = []

  function admit(): void {
    const [next] = waiting
    if (!next || waiting.size < present.size) return
    const [participant, place] = next
    waiting.delete(participant)
    if (failures.length > 0) place.reject(failures[0])
    else place.resolve()
  }

  async function take(participant: Participant): Promise<T> {
    const turn: Turn = async run => {
      const place = Promise.withResolvers<void>()
      waiting.set(participant, place)
      admit()
      await place.promise
      return run()
    }
    try {
      return await work(participant, turn)
    } catch (error) {
      failures.push(error)
      throw error
    } finally {
      present.delete(participant)
      admit()
    }
  }

  const ended = await Promise.allSettled(participants.map(take))
  if (failures.length > 0) throw failures[0]
  return ended.map(each => (each as PromiseFulfilledResult<Awaited<T>>).value)
}
