import type { WorkerEvents } from 'graphile-worker'

/**
 * Tracks the ids of the jobs that a job runner has received and not finished. All other jobs that the database has
 * locked for this runner were never received, because the response to a fetch got lost.
 */
export function trackUnfinishedJobs(events: WorkerEvents): ReadonlySet<string> {
  const unfinished = new Set<string>()
  events.on('localQueue:getJobs:complete', ({ jobs }) => {
    for (const { id } of jobs) unfinished.add(id)
  })
  events.on('localQueue:returnJobs', ({ jobs }) => {
    for (const { id } of jobs) unfinished.delete(id)
  })
  events.on('job:complete', ({ job }) => unfinished.delete(job.id))
  return unfinished
}
