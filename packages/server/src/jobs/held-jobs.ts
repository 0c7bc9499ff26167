import type { WorkerEvents } from 'graphile-worker'

/**
 * Tracks the ids of the jobs that a runner fetched and has not finished. If the response to a fetch is lost, other jobs
 * are locked for the runner in the database, although the runner never received them.
 */
export function heldJobs(events: WorkerEvents): ReadonlySet<string> {
  const held = new Set<string>()
  events.on('localQueue:getJobs:complete', ({ jobs }) => {
    for (const { id } of jobs) held.add(id)
  })
  events.on('localQueue:returnJobs', ({ jobs }) => {
    for (const { id } of jobs) held.delete(id)
  })
  events.on('job:complete', ({ job }) => held.delete(job.id))
  return held
}
