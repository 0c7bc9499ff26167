import type { WorkerEvents } from 'graphile-worker'

/**
 * Tracks the IDs of the jobs that a job runner has received but not finished. A job that the database has
 * locked for the runner, but that is not tracked here, never reached the runner: the database's response was
 * lost.
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
