// Lets several participants take turns, for example benchmarks on data sets of different sizes. Only one participant
// runs at a time.

/**
 * Waits until every other participant is waiting or has ended, and then runs `run` as the calling participant's
 * turn.
 */
export type Turn = <T>(run: () => Promise<T>) => Promise<T>

/**
 * Runs `work` for each participant. `work` must run its code within `turn`, because only one turn runs at a time and
 * the participants alternate. If a participant fails, the others' next turns fail too. When all participants have
 * ended, the first failure is thrown.
 */
export async function takingTurns<Participant, T>(
  participants: Participant[],
  work: (participant: Participant, turn: Turn) => Promise<T>,
): Promise<T[]> {
  const present = new Set(participants)
  // The participants in the order in which they started to wait, so the participant that just had its turn is last.
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
