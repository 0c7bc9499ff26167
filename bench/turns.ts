// Lets several participants take turns, for example benchmarks on data sets of different sizes. Only one participant
// runs at a time.

/**
 * Runs `run` as one turn of the calling participant, for example a benchmark. The turn starts only when every other
 * participant is waiting for its own turn or has ended. Two participants therefore never run at the same time.
 */
export type Turn = <T>(run: () => Promise<T>) => Promise<T>

/**
 * Runs the function `work` for all participants, for example one benchmark for each data set, in alternating turns.
 * `work` must run its code within the function `turn`, because only one turn runs at a time. If a participant fails,
 * the next turns of the others fail too. At the end, the first failure is thrown.
 */
export async function takingTurns<Participant, T>(
  participants: Participant[],
  work: (participant: Participant, turn: Turn) => Promise<T>,
): Promise<T[]> {
  const present = new Set(participants)
  // The participants that wait for a turn. They are in the order in which they started to wait, so the participant that
  // just had its turn is last.
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
