import type { WorkerEvents } from 'graphile-worker'

/**
 * Tracks the ids of the jobs that a runner fetched and has not finished. If the response to a fetch is lost, other jobs
 * are locked for the runner in the database, although the runner never received them.
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
